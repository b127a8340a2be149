"""The record of documents: what is put in comes out, and outlives the process."""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.catalogue import (
    CatalogueError,
    ChunkRecord,
    DocumentCatalogue,
    DocumentRecord,
    DueDate,
    NearHash,
    Revisit,
    page_hash,
    site_of,
)
from ragcrawler.catalogue.schema import _MIGRATIONS
from ragcrawler.items import Anchor, ChunkExtra, Document, Metadata, SemanticChunk, chunk_record


def record(number: int, **changes: Any) -> DocumentRecord:
    url = changes.pop("url", f"https://a.example/{number}")
    fields: dict[str, Any] = {
        "document_id": f"d{number:04}",
        "url": url,
        "site": site_of(url),
        "page_hash": f"page {number}",
        "content_hash": f"content {number}",
        "preparation": "p1",
        "chunks": (ChunkRecord(f"c{number}-1", "e1", "p1"), ChunkRecord(f"c{number}-0", "e0", "p0")),
        "near_hash": f"{number:016x}",
        "etag": '"1"',
        "last_modified": "yesterday",
        "fetched_at": "2026-01-01T00:00:00+00:00",
        "first_seen": "run 1",
        "last_seen": "run 1",
    }
    return DocumentRecord(**(fields | changes))


def chunk(**changes: Any) -> SemanticChunk:
    fields: dict[str, Any] = {
        "id": "c1",
        "chunk_id": "d_h1_1_chunk_0",
        "document_id": "d0001",
        "content": "Water \ud800 early.",
        "content_hash": "h",
        "token_count": 3,
        "embed_text": "Garden\n\nWater early.",
        "start": 0,
        "end": 12,
        "position": 0,
        "section_path": ("Garden", "Care"),
        "headers": (("Header 1", "Garden"), ("Header 2", "Care")),
        "next_chunk_id": "c2",
        "extra": ChunkExtra(table_id="t", chunk_index=0, suspicious=("ignore all",)),
        "fetched_at": "2026-01-01T00:00:00+00:00",
    }
    return SemanticChunk(**(fields | changes))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "catalogue" / "ragcrawler.sqlite"


@pytest.fixture
def catalogue(path: Path) -> Iterator[DocumentCatalogue]:
    with DocumentCatalogue(path) as opened:
        yield opened


def test_a_record_comes_back_as_it_was_put_in_the_next_process(
    catalogue: DocumentCatalogue, path: Path
) -> None:
    put = record(1, aliases=("https://a.example/b", "https://a.example/c"))
    catalogue.put([put])
    catalogue.close()
    with DocumentCatalogue(path) as opened:
        assert opened.get("d0001") == put
        assert opened.get("d0002") is None


def test_a_later_record_takes_the_place_of_the_first_and_keeps_its_aliases(
    catalogue: DocumentCatalogue,
) -> None:
    catalogue.put([record(1, aliases=("https://a.example/b",))])
    later = record(1, chunks=(ChunkRecord("other", "e", "p"),), last_seen="run 2")
    catalogue.put([later])
    assert catalogue.get("d0001") == replace(later, aliases=("https://a.example/b",))


def test_documents_come_in_order_page_by_page_while_they_are_changed(catalogue: DocumentCatalogue) -> None:
    catalogue.put(
        [record(number, url=f"https://{'ab'[number % 2]}.example/{number}") for number in range(700)]
    )
    seen = []
    for each in catalogue.documents():
        catalogue.remove([each.document_id])
        seen.append(each.document_id)
    assert seen == [f"d{number:04}" for number in range(700)]
    assert catalogue.count() == 0


def test_documents_of_one_site_alone_are_asked_for(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1), record(2, url="https://b.example:8080/"), record(3, near_hash="")])
    assert [each.document_id for each in catalogue.documents("b.example:8080")] == ["d0002"]
    assert catalogue.count("a.example") == 2
    assert list(catalogue.near_hashes("a.example")) == [NearHash("d0001", f"{1:016x}")]
    assert len(list(catalogue.near_hashes())) == 2


def test_a_text_is_found_in_the_document_that_had_it_first(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1, content_hash="same", first_seen="run 2"), record(2, content_hash="same")])
    found = catalogue.by_content_hash("same")
    assert found is not None
    assert found.document_id == "d0002"
    assert catalogue.by_content_hash("other") is None


def test_a_document_is_found_by_its_url_before_an_alias(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1), record(2)])
    catalogue.add_alias("d0001", "https://a.example/copy")
    found = catalogue.by_url("https://a.example/copy")
    assert found is not None
    assert found.document_id == "d0001"
    catalogue.put([record(3, url="https://a.example/copy")])
    found = catalogue.by_url("https://a.example/copy")
    assert found is not None
    assert found.document_id == "d0003"
    first = catalogue.get("d0001")
    assert first is not None
    assert first.aliases == ()


def test_a_document_that_is_being_written_passes_for_unread_until_it_is_put(
    catalogue: DocumentCatalogue,
) -> None:
    catalogue.put([record(1)])
    catalogue.mark_writing([record(1, chunks=()), record(2)])
    known, new = catalogue.get("d0001"), catalogue.get("d0002")
    assert known == replace(record(1), page_hash="", etag="", last_modified="", is_unfinished=True)
    assert new is not None
    assert (new.chunks, new.content_hash, new.page_hash, new.is_unfinished) == ((), "", "", True)
    catalogue.put([record(1)])
    assert catalogue.get("d0001") == record(1)


def test_missing_runs_add_up_until_the_page_is_seen_again(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1)])
    catalogue.mark_missing(["d0001"], "http_404")
    catalogue.mark_missing(["d0001"], "noindex")
    found = catalogue.get("d0001")
    assert found is not None
    assert (found.missing_runs, found.missing_reason) == (2, "noindex")
    catalogue.mark_seen("d0001", "run 4", Revisit(60.0, 1000.0), etag='"2"')
    found = catalogue.get("d0001")
    assert found == replace(
        record(1), last_seen="run 4", etag='"2"', last_modified="", interval_seconds=60.0, due_at=1000.0
    )


def test_documents_are_due_as_they_were_dated_and_at_once_where_they_have_to_be_read(
    catalogue: DocumentCatalogue,
) -> None:
    many = [record(number, due_at=float(number)) for number in range(10, 600)]
    catalogue.put(
        [
            record(1, due_at=50.0, aliases=("https://a.example/one", "https://a.example/uno")),
            record(2, due_at=50.0, is_unfinished=True),
            record(3, due_at=50.0, page_hash=""),
            record(4, due_at=50.0, missing_runs=1, missing_reason="http_404"),
            record(5, due_at=50.0, missing_runs=1, missing_reason="unlinked"),
            record(6, due_at=50.0, url="https://b.example/6", aliases=("https://b.example/six",)),
            *many,
        ]
    )
    found = list(catalogue.due_dates("a.example"))
    assert {(each.document_id, each.due_at) for each in found if not each.is_alias} == {
        *(("d0001", 50.0), ("d0002", 0.0), ("d0003", 0.0), ("d0004", 0.0)),
        *((each.document_id, each.due_at) for each in many),
    }
    assert [each for each in found if each.is_alias] == [
        DueDate("d0001", "https://a.example/one", 50.0, is_alias=True),
        DueDate("d0001", "https://a.example/uno", 50.0, is_alias=True),
    ]


def test_a_removed_document_leaves_nothing_behind(catalogue: DocumentCatalogue, path: Path) -> None:
    catalogue.put([record(1, aliases=("https://a.example/b",))], {"d0001": [chunk()]})
    catalogue.put_links("d0001", ["https://a.example/2"])
    catalogue.mark_reachable(["d0001"], "crawl")
    catalogue.remove(["d0001", "unknown"])
    database = sqlite3.connect(path)
    for table in ("documents", "chunks", "texts", "aliases", "links", "sightings"):
        assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    database.close()


def test_chunks_and_links_come_back_whole(catalogue: DocumentCatalogue) -> None:
    chunks = [chunk(), chunk(id="c2", prev_chunk_id="c1", next_chunk_id="", extra=ChunkExtra())]
    catalogue.put([record(1)], {"d0001": chunks})
    catalogue.put_links("d0001", ["https://a.example/2", "https://a.example/1"])
    assert catalogue.chunks("d0001") == chunks
    assert catalogue.links("d0001") == ("https://a.example/2", "https://a.example/1")
    assert catalogue.chunks("d0002") == []
    assert catalogue.links("d0002") == ()


def test_a_transaction_that_fails_writes_nothing(catalogue: DocumentCatalogue) -> None:
    def put_one_and_fail() -> None:
        with catalogue.transaction() as database:
            catalogue.put([record(1)])
            database.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(CatalogueError, match="nowhere"):
        put_one_and_fail()
    assert catalogue.get("d0001") is None


@pytest.mark.parametrize(
    ("changes", "is_same"),
    [
        ({"fetched_at": "later", "etag": '"2"', "last_modified": "later"}, True),
        ({"position": 1}, False),
        ({"next_chunk_id": "c3"}, False),
        ({"section_path": ("Garden",)}, False),
        ({"extra": ChunkExtra(language="python")}, False),
    ],
)
def test_only_what_a_point_says_makes_it_another_not_when_it_was_fetched(
    changes: dict[str, Any], is_same: bool
) -> None:
    assert (ChunkRecord.of(chunk(**changes)) == ChunkRecord.of(chunk())) is is_same


def test_points_that_an_earlier_version_stored_are_not_written_again_for_a_null() -> None:
    plain = chunk(extra=ChunkExtra())
    stored = chunk_record(plain) | {"extra": {}, "split_sequence": ""}
    for name in ("fetched_at", "etag", "last_modified"):
        del stored[name]
    digest = hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()
    assert ChunkRecord.of(plain).payload_hash == digest


def test_the_same_bytes_as_another_media_type_are_another_page() -> None:
    html = page_hash(b"<p>", "text/html; charset=utf-8")
    assert html == page_hash(b"<p>", " Text/HTML; charset=UTF-8")
    assert len({html, page_hash(b"<p>", "text/plain"), page_hash(b"<q>", "text/html; charset=utf-8")}) == 3


def document(**changes: Any) -> Document:
    fields: dict[str, Any] = {
        "id": "d0001",
        "url": "https://a.example/1",
        "title": "Garden",
        "language": "en",
        "markdown": "# Garden\n\nWater \ud800 early.",
        "content_hash": "content 1",
        "fetched_at": "2026-01-01T00:00:00+00:00",
        "metadata": Metadata(description="About water.", pages=2, suspicious=("ignore all",)),
        "anchors": (Anchor(0, "garden"),),
        "chunks": (chunk(),),
        "etag": '"1"',
        "last_modified": "yesterday",
        "page_hash": "page 1",
        "near_hash": f"{1:016x}",
    }
    return Document(**(fields | changes))


def test_a_document_comes_back_as_it_was_put_with_its_chunks(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1)], {"d0001": [chunk()]}, [document()])
    assert catalogue.has_markdown(record(1))
    assert catalogue.document(record(1)) == document()


@pytest.mark.parametrize("changes", [{"content_hash": "other"}, {"content_hash": ""}])
def test_the_markdown_of_another_text_is_not_given_for_a_document(
    catalogue: DocumentCatalogue, changes: dict[str, str]
) -> None:
    catalogue.put([record(1)], {"d0001": [chunk()]}, [document()])
    catalogue.put([record(1, **changes)])
    assert not catalogue.has_markdown(record(1, **changes))
    assert catalogue.document(record(1, **changes)) is None


def test_markdown_leaves_with_its_document(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1)], documents=[document()])
    catalogue.remove(["d0001"])
    catalogue.put([record(1)])
    assert catalogue.document(record(1)) is None


def test_a_file_of_the_first_version_gets_room_for_markdown(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            f"{_MIGRATIONS[0]} PRAGMA application_id = 0x52414743; PRAGMA user_version = 1;"
        )
    with DocumentCatalogue(path) as opened:
        opened.put([record(1)], documents=[document()])
        assert opened.has_markdown(record(1))


def test_a_file_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE theirs (a)")
    database.close()
    with pytest.raises(CatalogueError, match="another program"):
        DocumentCatalogue(path)
    database = sqlite3.connect(path)
    assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    database.close()


def test_a_file_of_a_later_version_is_refused(catalogue: DocumentCatalogue, path: Path) -> None:
    catalogue.close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(CatalogueError, match="version 99"):
        DocumentCatalogue(path)


def test_a_damaged_file_is_named_with_what_to_do(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(CatalogueError, match=r"ragcrawler\.sqlite.*verify --repair"):
        DocumentCatalogue(path)


def test_two_crawls_on_one_file_wait_for_each_other(catalogue: DocumentCatalogue, path: Path) -> None:
    def write() -> None:
        with DocumentCatalogue(path) as other:
            other.put([record(2)])

    with catalogue.transaction():
        catalogue.put([record(1)])
        thread = threading.Thread(target=write)
        thread.start()
    thread.join()
    assert catalogue.count() == 2
