"""The record of documents: what is put in comes out, and outlives the process."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from ragcrawler.catalogue import (
    ChunkRecord,
    DocumentCatalogue,
    DueDate,
    KeptOutEntry,
    NearHash,
    Revisit,
    SiteTotals,
    TakenOut,
    page_hash,
)
from ragcrawler.catalogue.places import CatalogueFile, CataloguePlace, CatalogueSchema
from ragcrawler.items import ChunkExtra, chunk_record
from tests.catalogue.records import chunk, document, record


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> CataloguePlace:
    if request.param == "sqlite":
        return CatalogueFile(tmp_path / "catalogue" / "ragcrawler.sqlite")
    return CatalogueSchema(request.getfixturevalue("postgres_address"), "catalogue of a test")


@pytest.fixture
def catalogue(place: CataloguePlace) -> Iterator[DocumentCatalogue]:
    with place.open() as opened:
        yield opened


def test_a_record_comes_back_as_it_was_put_in_the_next_process(
    catalogue: DocumentCatalogue, place: CataloguePlace
) -> None:
    put = record(1, aliases=("https://a.example/b", "https://a.example/c"))
    catalogue.put([put])
    catalogue.close()
    with place.open() as opened:
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
    catalogue.put([record(1, aliases=("https://a.example/copy",)), record(2)])
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


def test_a_removed_document_leaves_nothing_behind(catalogue: DocumentCatalogue) -> None:
    put = record(1, aliases=("https://a.example/b",))
    catalogue.put([put, record(2)], {"d0001": [chunk()]}, [document()])
    catalogue.mark_reachable(["d0001"], "crawl")
    catalogue.remove(["d0001", "unknown"])
    catalogue.put([record(3)])
    assert [each.document_id for each in catalogue.documents()] == ["d0002", "d0003"]
    assert (catalogue.chunks("d0001"), catalogue.document(put)) == ([], None)
    assert not catalogue.was_reached("d0001", "crawl")
    assert catalogue.by_url("https://a.example/b") is None
    assert catalogue.documents_of_chunks(["c1-0", "c2-0"]) == {"c2-0": "d0002"}
    catalogue.clear()
    assert list(catalogue.documents()) == []


def test_chunks_come_back_whole(catalogue: DocumentCatalogue) -> None:
    chunks = [chunk(), chunk(id="c2", prev_chunk_id="c1", next_chunk_id="", extra=ChunkExtra())]
    catalogue.put([record(1)], {"d0001": chunks})
    assert catalogue.chunks("d0001") == chunks
    assert catalogue.chunks("d0002") == []


def test_what_one_page_of_a_batch_says_does_not_hang_on_its_place_in_it(catalogue: DocumentCatalogue) -> None:
    catalogue.put(
        [record(1, etag="old"), record(2, aliases=("https://a.example/3",)), record(3), record(1, etag="new")]
    )
    first, second = catalogue.get("d0001"), catalogue.get("d0002")
    assert first == record(1, etag="new")
    assert second == record(2)
    assert [each.document_id for each in catalogue.documents()] == ["d0001", "d0002", "d0003"]


def test_hostile_texts_of_a_page_are_no_reason_to_lose_it(catalogue: DocumentCatalogue) -> None:
    long_url = "https://a.example/" + "\u00e4" * 2000
    catalogue.put([record(1, url=long_url, etag="a\0b'\\", aliases=(long_url + "2", "x,{}\"'\\"))])
    found = catalogue.by_url(long_url + "2")
    assert found is not None
    assert found.url == long_url
    assert found.aliases == (long_url + "2", "x,{}\"'\\")
    assert catalogue.get("no \0 such id") is None


def test_only_what_no_crawl_has_reached_is_recovered_alone(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1)])
    catalogue.mark_recovered("d0001")
    assert catalogue.is_only_recovered("d0001")
    catalogue.mark_reachable(["d0001"], "crawl")
    catalogue.mark_reachable(["d0001"], "crawl")
    assert catalogue.was_reached("d0001", "crawl")
    assert not catalogue.is_only_recovered("d0001")


def test_all_documents_may_be_taken_for_unread(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1), record(2)])
    catalogue.mark_all_unread()
    assert [(each.is_unfinished, each.page_hash) for each in catalogue.documents()] == [(True, "")] * 2


@pytest.fixture
def other(place: CataloguePlace, tmp_path: Path) -> CataloguePlace:
    """Another of the same kind."""
    if isinstance(place, CatalogueFile):
        return CatalogueFile(tmp_path / "other.sqlite")
    return replace(cast("CatalogueSchema", place), schema="another")


def test_a_copy_takes_the_place_of_what_was_there(
    catalogue: DocumentCatalogue, place: CataloguePlace, other: CataloguePlace
) -> None:
    catalogue.put([record(1, aliases=("https://a.example/b",))], {"d0001": [chunk()]}, [document()])
    catalogue.mark_reachable(["d0001"], "crawl")
    assert not other.exists()
    with other.open() as opened:
        opened.put([record(2)])
    other.copy_from(place)
    assert other.exists()
    with other.open() as opened:
        assert list(opened.documents()) == list(catalogue.documents())
        assert opened.document(record(1)) == document()
        assert opened.was_reached("d0001", "crawl")


def page(name: str, text: str = "", since: str = "2026-01-01") -> KeptOutEntry:
    return KeptOutEntry(f"https://a.example/{name}", "page", text, since)


def test_the_list_of_what_is_kept_out_grows_shrinks_and_has_a_version(
    catalogue: DocumentCatalogue, place: CataloguePlace
) -> None:
    site = KeptOutEntry("b.example", "site", "", "2026-01-02")
    catalogue.keep_out([page("2"), site, page("1", "h")])
    assert catalogue.kept_out() == [site, page("1", "h"), page("2")]
    first = catalogue.kept_out_version()
    catalogue.keep_out([page("1", "", "2026-03-03"), page("1", "other", "2026-03-03")])
    assert catalogue.kept_out_version() == first
    catalogue.keep_out([page("2", "h", "2026-03-03")])  # its text came to be known
    assert catalogue.kept_out() == [site, page("1", "h"), page("2", "h")]
    second = catalogue.kept_out_version()
    assert second != first
    assert catalogue.allow(["https://a.example/1", "https://a.example/unknown"]) == 1
    assert catalogue.kept_out() == [site, page("2")]  # the text may stand at other addresses again
    catalogue.keep_out([page("3")])
    assert catalogue.kept_out_version() not in {first, second}
    catalogue.clear()
    with place.open() as opened:
        assert opened.kept_out() == [site, page("2"), page("3")]


def test_what_is_taken_out_is_forgotten_and_remembered_until_it_is_told_or_comes_back(
    catalogue: DocumentCatalogue,
) -> None:
    records = [record(number, last_seen="20260101T000000Z-seeds-1") for number in (1, 2, 3)]
    catalogue.put(records, {"d0001": [chunk()]}, [document()])
    catalogue.put_shared_blocks("a.example", {"block": "d0001", "other": "d0003"})
    catalogue.take_out(records[:2])
    assert [each.document_id for each in catalogue.documents()] == ["d0003"]
    assert catalogue.chunks("d0001") == []
    assert catalogue.shared_blocks("a.example") == {"block": "", "other": "d0003"}
    taken = [TakenOut.of(each) for each in records[:2]]
    assert catalogue.taken_out() == taken
    assert (taken[0].url, taken[0].chunks) == ("https://a.example/1", 2)
    catalogue.put(records[1:2])
    assert catalogue.taken_out() == taken[:1]
    catalogue.forget_taken_out(["d0001", "unknown"])
    assert catalogue.taken_out() == []


def test_a_removal_is_there_until_it_has_ended(catalogue: DocumentCatalogue, place: CataloguePlace) -> None:
    first = catalogue.begin_removal("this", [page("1")])
    second = catalogue.begin_removal("that")
    catalogue.end_removal(first)
    catalogue.close()
    with place.open() as opened:
        assert opened.open_removals() == {second: "that"}
        assert opened.kept_out() == [page("1")]


def test_a_copy_and_its_original_keep_out_what_either_did(
    catalogue: DocumentCatalogue, place: CataloguePlace, other: CataloguePlace
) -> None:
    catalogue.put([record(1)])
    catalogue.keep_out([page("of the original")])
    with other.open() as opened:
        opened.keep_out([page("of the copy")])
        opened.put([record(2)])
        opened.take_out([record(2)])
    other.copy_from(place)
    with other.open() as opened:
        assert opened.kept_out() == catalogue.kept_out() == [page("of the copy"), page("of the original")]
        assert [each.document_id for each in opened.taken_out()] == ["d0002"]


def test_addresses_are_read_whole_and_aliases_can_go(catalogue: DocumentCatalogue) -> None:
    one = record(1, aliases=("https://a.example/b", "https://a.example/c"))
    catalogue.put([one, record(2, content_hash=one.content_hash)])
    assert dict(catalogue.urls()) == {"d0001": one.url, "d0002": "https://a.example/2"}
    assert sorted(catalogue.aliases()) == [("d0001", "https://a.example/b"), ("d0001", "https://a.example/c")]
    assert [each.document_id for each in catalogue.with_text(one.content_hash)] == ["d0001", "d0002"]
    catalogue.remove_aliases(["https://a.example/b"])
    assert catalogue.get("d0001") == replace(one, aliases=("https://a.example/c",))


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


def test_a_field_that_came_later_counts_only_where_it_says_something(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ChunkRecord.of(chunk()).payload_hash

    def later(author: str) -> str:
        monkeypatch.setattr(
            "ragcrawler.catalogue.hashes.chunk_record", lambda each: chunk_record(each) | {"author": author}
        )
        return ChunkRecord.of(chunk()).payload_hash

    assert later("") == before
    assert len({before, later("Ada"), later("Bob")}) == 3


def test_the_same_bytes_as_another_media_type_are_another_page() -> None:
    html = page_hash(b"<p>", "text/html; charset=utf-8")
    assert html == page_hash(b"<p>", " Text/HTML; charset=UTF-8")
    assert len({html, page_hash(b"<p>", "text/plain"), page_hash(b"<q>", "text/html; charset=utf-8")}) == 3


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


def test_the_totals_of_sites_count_documents_chunks_and_what_is_missing(catalogue: DocumentCatalogue) -> None:
    catalogue.put(
        [
            record(1),
            record(2, fetched_at="2026-02-01T00:00:00+00:00"),
            record(3, url="https://b.example:8443/3", chunks=()),
        ]
    )
    catalogue.mark_missing(["d0001"], "http_404")
    assert catalogue.site_totals() == [
        SiteTotals("a.example", 2, 4, "2026-02-01T00:00:00+00:00", 1),
        SiteTotals("b.example:8443", 1, 0, "2026-01-01T00:00:00+00:00", 0),
    ]


def test_the_totals_of_sites_count_of_unfinished_documents_what_is_stored(
    catalogue: DocumentCatalogue,
) -> None:
    part = (ChunkRecord("1", "e", "p", "read back"), ChunkRecord("2", "e", "p"))
    catalogue.put(
        [
            record(1, chunks=part, is_unfinished=True),
            record(2, chunks=part[1:], is_unfinished=True),
            record(3, chunks=part[1:]),
            record(4, url="https://b.example/4", chunks=part[1:], is_unfinished=True),
        ]
    )
    (total,) = catalogue.site_totals()
    assert (total.site, total.documents, total.chunks) == ("a.example", 2, 2)
    stored = {each.document_id: len(each.stored_chunks) for each in catalogue.documents() if each.is_stored}
    assert stored == {"d0001": 1, "d0003": 1}


def test_documents_can_be_read_from_behind_one_of_them(catalogue: DocumentCatalogue) -> None:
    catalogue.put([record(1), record(2), record(3, url="https://b.example/3"), record(4)])
    assert [each.document_id for each in catalogue.documents(after="d0001")] == ["d0002", "d0003", "d0004"]
    assert [each.document_id for each in catalogue.documents("a.example", after="d0002")] == ["d0004"]


def test_shared_blocks_of_a_site_take_the_place_of_those_before(
    catalogue: DocumentCatalogue, place: CataloguePlace
) -> None:
    catalogue.put_shared_blocks("a.example", {"b1": "d1", "b2": "d2"})
    catalogue.put_shared_blocks("b.example", {"b1": ""})
    catalogue.put_shared_blocks("a.example", {"b2": "d3"})
    catalogue.close()
    with place.open() as opened:
        assert opened.shared_blocks("a.example") == {"b2": "d3"}
        assert opened.shared_blocks("b.example") == {"b1": ""}
        opened.put_shared_blocks("b.example", {})
        assert opened.shared_blocks("b.example") == {}
        opened.clear()
        assert opened.shared_blocks("a.example") == {}
