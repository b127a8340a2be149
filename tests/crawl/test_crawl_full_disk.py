"""A crawl that comes near the end of the disk ends in order, and the next one goes on."""

import shutil
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest

from ragcrawler.stores import StoreConfig, open_store

Usage = namedtuple("Usage", "total used free")
MEBIBYTE = 2**20
PAGES = 6


def test_a_full_disk_ends_the_crawl_and_the_next_one_stores_the_rest(
    site: Any, crawl: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = {"free": 1000 * MEBIBYTE}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, room["free"]))
    monkeypatch.setattr("ragcrawler.extensions.disk_space._LOOK_SECONDS", 0.01)
    for number in range(PAGES):
        site.page(f"/{number}", f"/{number + 1}", text=f"Page {number} has its own words to say. " * 20)

    def last_page_fills_the_disk() -> Any:
        room["free"] = 100 * MEBIBYTE
        return 200, {}, b"<p>The last page of all has some words to say, too, and fills the disk.</p>"

    site.page("/", "/0")
    site.answers[f"/{PAGES}"] = last_page_fills_the_disk
    ended = crawl(domains=site.url, SITEMAPS="off", SOFT_404=False)
    assert ended.report["end"] == "disk_full"
    assert ended.report["disagreements"] == []
    assert ended.report["exit_code"] == 4
    assert {failure["reason"] for failure in ended.failures} <= {"disk_full"}
    room["free"] = 1000 * MEBIBYTE
    site.page(f"/{PAGES}", text="The last page is an ordinary page this time, with words of its own.")
    whole = crawl(domains=site.url, SITEMAPS="off", SOFT_404=False)
    assert whole.report["exit_code"] == 0
    with open_store(StoreConfig(folder=whole.output / "qdrant")) as store:
        assert len({chunk.source_url for chunk in store.scroll()}) == PAGES + 2


def test_a_crawl_does_not_begin_on_a_full_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    from ragcrawler.commands.base.validate_settings import validate_settings
    from ragcrawler.config.defaults import project_settings

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, 12 * MEBIBYTE))
    refusal = validate_settings(project_settings(OUTPUT_DIR=str(tmp_path / "output")))
    assert refusal.startswith("Only 12 MiB are free on the disk of ")
    assert validate_settings(project_settings(OUTPUT_DIR=str(tmp_path), DISK_RESERVE_MEBIBYTES=0)) == ""
