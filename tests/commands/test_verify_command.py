"""`scrapy verify`: what is wrong is named, mended, and told by the exit code; killed crawls too."""

import json
import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.stores import StoreConfig, open_store
from ragcrawler.stores.transfer.chunks_with_vectors import chunks_with_vectors

CLEAN, NOT_STARTED, FOUND, REPAIRED, LEFT = 0, 1, 3, 4, 5
PAGES = 30


def page(path: str) -> tuple[int, bytes]:
    if not path.strip("/").isdigit() and path != "/":
        return 404, b""
    number = int(path.strip("/") or 0)
    links = "".join(f'<a href="/{each}">{each}</a>' for each in range(1, PAGES) if not number)
    sections = "".join(
        f"<h2>Bed {number}-{part}</h2><p>{f'Who waters bed {number} notes what part {part} shows. ' * 5}</p>"
        for part in range(5)
    )
    return 200, f"<html><body><main><h1>Bed {number}</h1>{sections}</main>{links}</body></html>".encode()


SIZES = {"CHUNK_TARGET_TOKENS": "80", "CHUNK_MAX_TOKENS": "120", "CHUNK_MIN_TOKENS": "10"}


@pytest.fixture
def crawled(scrapy: Any, serve: Callable[..., str]) -> Path:
    """The output of a crawl of a few pages."""
    url = serve(lambda path: page(path) if path in ("/", "/1", "/2", "/3") else (404, b""))
    ended = scrapy.run("crawl", "seeds", "-a", f"domains={url}", **SIZES)
    assert ended.returncode == 0, ended.stderr
    return Path(scrapy.output)


def store_of(output: Path) -> Any:
    return open_store(StoreConfig(folder=output / "qdrant", collection="ragcrawler"))


def test_faults_are_named_and_mended_and_the_exit_code_says_which(scrapy: Any, crawled: Path) -> None:
    clean = scrapy.run("verify")
    assert (clean.returncode, clean.stderr) == (CLEAN, "")
    assert clean.stdout == "20 points of 4 documents; faults: none\n"
    with store_of(crawled) as store:
        chunks = sorted(chunks_with_vectors(store), key=lambda chunk: chunk.id)
        store.delete([chunk.id for chunk in chunks[:3]])
        store.upsert([replace(chunk, id=str(uuid4())) for chunk in chunks[5:7]])
        store.upsert([replace(chunks[9], content="Nothing.", vectors=None)])
    found = scrapy.run("verify", "--json")
    assert found.returncode == FOUND
    *faults, sums = map(json.loads, found.stdout.splitlines())
    assert sums["faults"] == {"missing_chunk": 3, "duplicate_chunk": 2, "wrong_payload": 1}
    assert sums["repairs"] is None
    missing = {fault["chunk_id"] for fault in faults if fault["kind"] == "missing_chunk"}
    assert missing == {chunk.id for chunk in chunks[:3]}
    assert all(fault["url"].startswith("http://127.0.0.1") for fault in faults)
    mended = scrapy.run("verify", "--repair")
    assert mended.returncode == REPAIRED, mended.stderr
    assert mended.stdout.splitlines()[-1] == (
        "repaired: embedded 3, rewritten 1, deleted 2, records settled 0; left to a crawl: 0"
    )
    assert scrapy.run("verify").returncode == CLEAN
    with store_of(crawled) as store:
        assert sorted(store.scroll(), key=lambda chunk: chunk.id) == [
            replace(chunk, vectors=None) for chunk in chunks
        ]


def test_what_only_a_crawl_can_bring_back_has_a_code_of_its_own(scrapy: Any, crawled: Path) -> None:
    with SqliteCatalogue(crawled / "catalogue" / "ragcrawler.sqlite") as catalogue:
        record = next(catalogue.documents())
        catalogue.put([record], {record.document_id: []})
    with store_of(crawled) as store:
        store.delete([record.chunks[0].id])
    assert scrapy.run("verify", "--repair").returncode == LEFT


def shard_files(output: Path, name: str) -> list[Path]:
    return sorted((output / "qdrant" / "ragcrawler" / "shard").rglob(name))


def cut(output: Path) -> None:
    """Files end in the middle."""
    for path in (*shard_files(output, "page_0.dat"), *shard_files(output, "*.mappings")):
        os.truncate(path, path.stat().st_size // 2)
    os.truncate(shard_files(output, "segment.json")[0], 10)


def flip(output: Path) -> None:
    """The engine's own description of the shard is no JSON any more."""
    path = output / "qdrant" / "ragcrawler" / "shard" / "edge_config.json"
    content = bytearray(path.read_bytes())
    content[0] ^= 0xFF
    path.write_bytes(content)


def leave(output: Path) -> None:
    """Somebody moved it away."""
    shutil.rmtree(output / "qdrant" / "ragcrawler")


@pytest.mark.parametrize("damage", [cut, flip, leave])
def test_a_collection_that_cannot_be_read_is_rebuilt_from_the_texts_of_its_catalogue(
    scrapy: Any, crawled: Path, damage: Callable[[Path], None]
) -> None:
    with store_of(crawled) as store:
        before = sorted(chunks_with_vectors(store), key=lambda chunk: chunk.id)
    damage(crawled)
    looked = scrapy.run("verify")
    assert looked.returncode == NOT_STARTED
    assert "Traceback" not in looked.stderr
    rebuilt = scrapy.run("verify", "--rebuild")
    assert rebuilt.returncode == REPAIRED, rebuilt.stderr
    assert "is made anew" in rebuilt.stderr
    assert "embedded 20, rewritten 0, deleted 0" in rebuilt.stdout
    assert (crawled / "qdrant" / "ragcrawler.damaged").exists() is (damage is not leave)
    assert scrapy.run("verify").stdout == "20 points of 4 documents; faults: none\n"
    with store_of(crawled) as store:
        assert sorted(chunks_with_vectors(store), key=lambda chunk: chunk.id) == before


def test_a_readable_collection_is_not_rebuilt_and_without_texts_none_is(scrapy: Any, crawled: Path) -> None:
    kept = scrapy.run("verify", "--rebuild")
    assert (kept.returncode, kept.stderr) == (CLEAN, "")
    flip(crawled)
    (crawled / "catalogue" / "ragcrawler.sqlite").unlink()
    refused = scrapy.run("verify", "--rebuild")
    assert refused.returncode == NOT_STARTED
    assert "there are no texts" in refused.stderr
    assert not (crawled / "qdrant" / "ragcrawler.damaged").exists()


def test_a_document_that_an_interrupted_crawl_left_is_told_in_one_line(scrapy: Any, crawled: Path) -> None:
    with SqliteCatalogue(crawled / "catalogue" / "ragcrawler.sqlite") as catalogue:
        record = next(catalogue.documents())
        catalogue.mark_writing([record])
    with store_of(crawled) as store:
        store.delete([mark.id for mark in record.chunks])
    told = scrapy.run("verify")
    line, sums = told.stdout.splitlines()
    assert told.returncode == FOUND
    assert line.startswith(f"unfinished_document  {record.url}  interrupted: ")
    assert sums == "15 points of 4 documents; faults: unfinished_document 1"


def test_without_a_collection_there_is_nothing_to_verify(scrapy: Any) -> None:
    ended = scrapy.run("verify")
    assert ended.returncode == NOT_STARTED
    assert "there is no collection" in ended.stderr


def test_a_crawl_that_was_killed_while_it_wrote_is_mended_by_the_next(
    scrapy: Any, serve: Callable[..., str]
) -> None:
    url = serve(page)
    for stored in (1, 4):
        process = scrapy.start("crawl", "seeds", "-a", f"domains={url}", LOG_LEVEL="DEBUG", **SIZES)
        assert process.stderr is not None
        lines = (line for line in process.stderr if "Stored: " in line)
        for _ in range(stored):
            assert next(lines)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    ended = scrapy.run("crawl", "seeds", "-a", f"domains={url}", **SIZES)
    assert ended.returncode == 0, ended.stderr
    checked = scrapy.run("verify")
    assert checked.stdout == f"{5 * PAGES} points of {PAGES} documents; faults: none\n"
    assert checked.returncode == CLEAN


def test_a_dry_run_is_asked_for_by_an_option(scrapy: Any, serve: Callable[..., str]) -> None:
    ended = scrapy.run("crawl", "seeds", "-a", f"domains={serve(page)}", "--dry-run", **SIZES)
    assert ended.returncode == 0, ended.stderr
    (report,) = scrapy.output.glob("runs/*/report.json")
    assert json.loads(report.read_text(encoding="utf-8"))["documents"]["new"] == PAGES
    assert not (scrapy.output / "qdrant").exists()
