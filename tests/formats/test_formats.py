"""What earlier versions left on a disk, every version reads: collection, catalogue, saved crawl."""

import json
import tarfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.frontier import FetchFailure, Frontier, FrontierOptions, Target
from ragcrawler.frontier.scope import Scope
from ragcrawler.run.saved_crawls.saved_crawl import SavedCrawl
from ragcrawler.stores import StoreConfig, open_store
from tests.formats.make import BASE, IDENTITY, NOW, SETTINGS, SITE
from tests.warm_python import Python, completed

ARCHIVES = sorted(Path(__file__).parent.glob("*.tar.xz"))


@pytest.fixture(params=ARCHIVES, ids=[path.name.removesuffix(".tar.xz") for path in ARCHIVES])
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The files of a version."""
    with tarfile.open(request.param) as archive:
        for entry in archive.getmembers():
            path = tmp_path / entry.name
            if entry.isdir():
                path.mkdir(parents=True)
            elif content := archive.extractfile(entry):
                with path.open(
                    "wb"
                ) as file:  # most of what the engine reserves is zeros: holes take no memory
                    file.write(content.read().rstrip(b"\0"))
                    file.truncate(entry.size)
    return tmp_path


def expected(left: Path, what: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((left / "expected.json").read_bytes())[what]
    return values


def test_the_files_of_this_version_are_kept() -> None:
    assert f"{version('ragcrawler')}.tar.xz" in [path.name for path in ARCHIVES], "run tests/formats/make.py"


def test_store_and_catalogue_tell_the_same_passages(left: Path) -> None:
    with (
        open_store(StoreConfig(folder=left / "output" / "qdrant", collection="ragcrawler")) as store,
        SqliteCatalogue(left / "output" / "catalogue" / "ragcrawler.sqlite") as catalogue,
    ):
        records = list(catalogue.documents())
        assert {each.url: len(each.chunks) for each in records} == expected(left, "documents")
        for record in records:
            document = catalogue.document(record)
            assert document is not None
            stored = store.scroll(filters={"document_id": record.document_id})
            assert sorted(stored, key=lambda chunk: chunk.position) == list(document.chunks)


def test_a_collection_is_searched_found_whole_and_crawled_again(left: Path, python: Python) -> None:
    def run(*arguments: str) -> str:
        settings = SETTINGS | {"OUTPUT_DIR": str(left / "output"), "LOG_LEVEL": "WARNING"}
        given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        ended = completed(python("-m", "scrapy", *arguments, *given))
        assert ended.returncode == 0, ended.stderr
        return str(ended.stdout)

    assert f"{BASE}notes/page.html" in run("search", "spade cleaned after the work", "--json")
    assert run("verify").endswith("faults: none\n")
    (left / "site" / "dig.md").write_text("# Digging\n\nDig before the frost comes.\n", encoding="utf-8")
    run("crawl", "files", "-a", f"path={left / 'site'}", "-a", f"base_url={BASE}")
    report = json.loads((max((left / "output" / "runs").iterdir()) / "report.json").read_bytes())
    assert report["chunks"]["removed"] > 0
    assert run("verify").endswith("faults: none\n")


def test_a_crawl_that_was_broken_off_goes_on(left: Path) -> None:
    saved = SavedCrawl.open(left / "output", IDENTITY, resumes=True)
    frontier = Frontier(
        FrontierOptions(Scope.parse("a.example"), (f"{SITE}/",)), saved.state, clock=lambda: NOW + 1.0
    )
    saved.begin_run("run-2", frontier, delay_seconds=0.5)
    assert (saved.runs, frontier.counts().fetched) == (("run-1",), 1)
    leased = {}
    while (each := frontier.queue.next(NOW + 1.0, lambda _: True)) is not None:
        leased[each.target.url] = each.wait_until
    assert leased == expected(left, "open")
    with frontier.effects.transaction():
        frontier.failed(Target(f"{SITE}/real"), FetchFailure("http_404", is_skip=True, is_missing=True))
    waiting = frontier.queue.next(NOW + 1.0, lambda _: True)
    assert waiting is not None
    assert (waiting.target.url, waiting.target.stands_alone) == (f"{SITE}/copy", True)
    saved.end(is_over=False)
