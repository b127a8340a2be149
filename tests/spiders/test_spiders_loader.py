"""A crawl imports its own spider, and no room that it does not use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader, get_spider_loader

from ragcrawler import settings as our_settings
from ragcrawler.spiders.loader import SPIDERS, LazySpiderLoader

MOST_MODULES = 350
# What a plain crawl has no use for.
UNUSED = ("research", "search_engines.collector", "tor", "server", "postgres.session", "llm.calls.caller")
UNUSED_IN_A_CRAWL = (*UNUSED, "frontier.states.redis", "run.summaries", "run.sharing", "catalogue.postgres")
LOADED = """
import json, sys
from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader
settings = Settings()
settings.setmodule("ragcrawler.settings")
get_spider_loader(settings).load(sys.argv[1])
print(json.dumps([name for name in sys.modules if name.startswith("ragcrawler")]))
"""
CRAWLED = """
import atexit, json, os, sys
from scrapy.cmdline import execute
process = os.getpid()
def tell():
    if os.getpid() == process:
        print(json.dumps([name for name in sys.modules if name.startswith("ragcrawler")]))
atexit.register(tell)
execute(["scrapy", "crawl", "files", "-a", "path=docs", "-s", "PROGRESS_ENABLED=0"])
"""


def loader(modules: list[str]) -> LazySpiderLoader:
    return LazySpiderLoader.from_settings(Settings({"SPIDER_MODULES": modules}).frozencopy())


def used(modules: list[str], rooms: tuple[str, ...]) -> list[str]:
    return [name for name in modules if any(f"{name}.".startswith(f"ragcrawler.{room}.") for room in rooms)]


def test_the_table_names_every_spider_of_the_package() -> None:
    found = SpiderLoader(Settings({"SPIDER_MODULES": our_settings.SPIDER_MODULES}))
    places = {name: f"{spider.__module__}.{spider.__name__}" for name, spider in found._spiders.items()}
    assert places == SPIDERS


def test_the_settings_name_the_loader() -> None:
    settings = Settings()
    settings.setmodule(our_settings)
    assert isinstance(get_spider_loader(settings), LazySpiderLoader)


def test_each_spider_is_loaded_by_its_name() -> None:
    ours = loader(["ragcrawler.spiders"])
    assert ours.list() == sorted(SPIDERS)
    assert {name: ours.load(name).name for name in SPIDERS} == {name: name for name in SPIDERS}


def test_spiders_of_another_project_are_found_and_replace_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "from scrapy import Spider\nclass A(Spider):\n    name = 'a'\nclass S(Spider):\n    name = 'seeds'\n"
    )
    (tmp_path / "foreign_spiders.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    both = loader(["ragcrawler.spiders", "foreign_spiders"])
    assert both.list() == sorted({*SPIDERS, "a"})
    assert both.load("seeds").__module__ == "foreign_spiders"
    assert loader(["foreign_spiders"]).list() == ["a", "seeds"]


def test_a_spider_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="Spider not found: seed"):
        loader(["ragcrawler.spiders"]).load("seed")


def test_a_request_finds_the_spiders_that_scrapy_would_find() -> None:
    request = Request("https://research/page")
    theirs = SpiderLoader(Settings({"SPIDER_MODULES": ["ragcrawler.spiders"]}))
    assert loader(["ragcrawler.spiders"]).find_by_request(request) == theirs.find_by_request(request)


def test_the_seeds_spider_brings_no_room_that_it_does_not_use() -> None:
    command = [sys.executable, "-c", LOADED, "seeds"]
    modules = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert used(modules, UNUSED) == []
    assert len(modules) <= MOST_MODULES


def test_a_whole_crawl_brings_no_room_that_it_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pumps.md").write_text("# Pumps\n\nA pump needs a filter.\n")
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = ragcrawler.settings\n")
    settings = {"EMBEDDING_MODEL": "hashing/384", "SPARSE_EMBEDDING_MODEL": "hashing/sparse"}
    ended = subprocess.run(
        [sys.executable, "-c", CRAWLED],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | settings,
    )
    assert ended.returncode == 0, ended.stderr
    modules = json.loads(ended.stdout.splitlines()[-1])
    assert used(modules, UNUSED_IN_A_CRAWL) == []
