"""Of several pages with one text one holds it, whoever of several workers is first."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ragcrawler.catalogue import (
    DocumentCatalogue,
    SqliteCatalogue,
    TextClaims,
    TextHolder,
)
from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue
from ragcrawler.items import Document
from ragcrawler.postgres.address import PostgresAddress
from tests.catalogue.records import document, record

FACTS = "f" * 16
SAME, ALIKE, OTHER = FACTS + "00" * 128, FACTS + "00" * 126 + "0101", FACTS + "77" * 128


def page(number: int, **changes: Any) -> Document:
    fields = {"content_hash": "text", "near_hash": SAME}
    return document(id=f"d{number:04}", url=f"https://a.example/{number}", **(fields | changes))


def own(of: Document) -> TextHolder:
    return TextHolder(of.id, of.url)


@pytest.fixture(params=["memory", "postgres"])
def catalogue(request: pytest.FixtureRequest) -> Iterator[DocumentCatalogue]:
    opened: DocumentCatalogue
    if request.param == "memory":
        opened = SqliteCatalogue(None)
    else:
        opened = PostgresCatalogue(request.getfixturevalue("postgres_address"), "catalogue")
    with opened:
        yield opened


@pytest.fixture
def claims(catalogue: DocumentCatalogue) -> TextClaims:
    return catalogue.text_claims("crawl", 0.9)


def claim(claims: TextClaims, of: Document, holder: Document) -> bool:
    return claims.claim(of, own(holder), claims.look(of).version)


def test_a_text_is_held_by_the_page_that_claimed_it(claims: TextClaims) -> None:
    first, second = page(1), page(2)
    assert claims.look(first).holder is None
    assert claim(claims, first, first)
    assert claims.look(second).holder == own(first)


def test_who_has_looked_before_another_claimed_has_to_look_again(claims: TextClaims) -> None:
    first, second, near = page(1), page(2), page(3, content_hash="nearly", near_hash=ALIKE)
    seen, seen_near = claims.look(second), claims.look(near)
    assert claim(claims, first, first)
    assert not claims.claim(second, own(second), seen.version)
    assert not claims.claim(near, own(near), seen_near.version)
    assert claims.claim(second, own(first), claims.look(second).version)


def test_texts_of_other_groups_are_not_in_the_way(claims: TextClaims) -> None:
    other = page(2, content_hash="other", near_hash="")
    seen = claims.look(other)
    assert claim(claims, page(1), page(1))
    assert claims.claim(other, own(other), seen.version)


def test_a_text_that_another_one_holds_leads_there(claims: TextClaims) -> None:
    first, near = page(1), page(2, content_hash="nearly", near_hash=ALIKE)
    assert claim(claims, first, first)
    assert claim(claims, near, first)
    assert claims.look(page(3, content_hash="nearly", near_hash=ALIKE)).holder == own(first)


def test_near_duplicates_are_those_of_the_crawl_and_of_the_catalogue(
    catalogue: DocumentCatalogue, claims: TextClaims
) -> None:
    catalogue.put([record(1, near_hash=ALIKE), record(2, near_hash=OTHER), record(3, near_hash="")])
    first, read = page(4), page(5, content_hash="read", near_hash=ALIKE)
    assert [match.document_id for match in claims.look(first).near] == ["d0001"]
    assert claim(claims, read, read)
    near = claims.look(first).near
    assert sorted((match.document_id, match.url, match.record) for match in near) == [
        ("d0001", "", record(1, near_hash=ALIKE)),
        ("d0005", read.url, None),
    ]


def test_a_page_that_was_read_counts_with_what_it_says_now(
    catalogue: DocumentCatalogue, claims: TextClaims
) -> None:
    catalogue.put([record(1, content_hash="text", near_hash=SAME)])
    assert claims.look(page(2)).copy == record(1, content_hash="text", near_hash=SAME)
    changed = page(1, content_hash="new", near_hash=FACTS[:-1] + "e" + "00" * 128)
    assert claim(claims, changed, changed)
    after = claims.look(page(2))
    assert (after.copy, after.near, after.holder) == (None, (), None)


def test_what_is_known_of_a_page_is_found(catalogue: DocumentCatalogue, claims: TextClaims) -> None:
    catalogue.put([record(1, aliases=("https://a.example/7",)), record(7, url="https://a.example/other")])
    seen = claims.look(page(7))
    assert (seen.own, seen.former) == (catalogue.get("d0007"), catalogue.get("d0001"))


def test_crawls_do_not_share_claims_and_leave_none(catalogue: DocumentCatalogue, claims: TextClaims) -> None:
    assert claim(claims, page(1), page(1))
    assert catalogue.text_claims("another crawl", 0.9).look(page(2)).holder is None
    claims.end()
    assert claims.look(page(2)).holder is None
    assert claims.look(page(2)).version == 0


@pytest.mark.parametrize("is_near", [False, True], ids=["equal", "nearly equal"])
def test_of_pages_that_workers_read_at_once_one_is_stored(
    postgres_address: PostgresAddress, is_near: bool
) -> None:
    stored: list[int] = []
    together = threading.Barrier(4)

    def decide(claims: TextClaims, of: Document) -> TextHolder:
        while True:
            seen = claims.look(of)
            near = TextHolder(seen.near[0].document_id, seen.near[0].url) if seen.near else None
            holder = seen.holder or near or own(of)
            if claims.claim(of, holder, seen.version):
                return holder

    def work(worker: int) -> None:
        with PostgresCatalogue(postgres_address, "catalogue") as catalogue:
            claims = catalogue.text_claims("crawl", 0.9)
            for text in range(8):
                own_text = f"text {text}" + f" of {worker}" * is_near
                of = page(100 * text + worker, content_hash=own_text, near_hash=f"{text:016x}" + "00" * 128)
                together.wait(60)
                if decide(claims, of) == own(of):
                    stored.append(text)

    run_at_once(work, 4)
    assert sorted(stored) == list(range(8))


def test_two_workers_that_write_the_same_document_leave_one_whole_record(
    postgres_address: PostgresAddress,
) -> None:
    def version(worker: int) -> Any:
        chunks = record(1).chunks[worker % 2 :]
        return record(1, etag=str(worker), chunks=chunks, aliases=(f"https://a.example/{worker}-alias",))

    def work(worker: int) -> None:
        with PostgresCatalogue(postgres_address, "catalogue") as catalogue:
            for number in range(20):
                others = [record(2 + (number + worker) % 3), record(2 + number % 3)]
                catalogue.mark_writing([version(worker), *others])
                catalogue.put([*others, version(worker)])

    run_at_once(work, 3)
    with PostgresCatalogue(postgres_address, "catalogue") as catalogue:
        found = catalogue.get("d0001")
        assert found is not None
        assert found.chunks == version(int(found.etag)).chunks
        assert not found.is_unfinished
        assert found.aliases == tuple(f"https://a.example/{worker}-alias" for worker in range(3))
        assert catalogue.count() == 4


def run_at_once(work: Callable[[int], None], workers: int) -> None:
    failures: list[BaseException] = []

    def guarded(worker: int) -> None:
        try:
            work(worker)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=guarded, args=(worker,)) for worker in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
