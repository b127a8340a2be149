"""Any order of calls leaves both kinds of catalogue with what a dict would hold."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragcrawler.catalogue import (
    DocumentCatalogue,
    DocumentRecord,
    Revisit,
    SqliteCatalogue,
)
from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue
from ragcrawler.postgres.address import PostgresAddress
from tests.catalogue.records import record

UNREAD = {"page_hash": "", "etag": "", "last_modified": "", "is_unfinished": True}
NEW = {"content_hash": "", "near_hash": "", "chunks": (), "aliases": ()}


class Model:
    """The records by id, and which document an alias means."""

    def __init__(self) -> None:
        self._records: dict[str, DocumentRecord] = {}
        self._aliases: dict[str, str] = {}

    def put(self, records: list[DocumentRecord]) -> None:
        for each in records:
            self._records[each.document_id] = each
            self._aliases.pop(each.url, None)
            self._aliases |= dict.fromkeys(each.aliases, each.document_id)

    def mark_writing(self, records: list[DocumentRecord]) -> None:
        for each in records:
            known = self._records.get(each.document_id) or replace(each, **NEW)
            self._records[each.document_id] = replace(known, **UNREAD)

    def mark_seen(self, document_id: str, run: str, revisit: Revisit) -> None:
        self._change([document_id], missing_runs=0, missing_reason="", last_seen=run, etag="")
        self._change([document_id], last_modified="", interval_seconds=revisit[0], due_at=revisit[1])

    def mark_missing(self, document_ids: list[str], reason: str) -> None:
        for each in set(document_ids) & self._records.keys():
            self._change([each], missing_runs=self._records[each].missing_runs + 1, missing_reason=reason)

    def mark_all_unread(self) -> None:
        self._change(list(self._records), **UNREAD)

    def remove(self, document_ids: list[str]) -> None:
        for each in document_ids:
            self._records.pop(each, None)
        self._aliases = {url: each for url, each in self._aliases.items() if each not in document_ids}

    def documents(self) -> list[DocumentRecord]:
        return [
            replace(
                each, aliases=tuple(sorted(url for url, to in self._aliases.items() if to == document_id))
            )
            for document_id, each in sorted(self._records.items())
        ]

    def _change(self, document_ids: list[str], **changes: Any) -> None:
        for each in set(document_ids) & self._records.keys():
            self._records[each] = replace(self._records[each], **changes)


NUMBERS = st.integers(0, 4)
IDS = NUMBERS.map("d{:04}".format)
URLS = NUMBERS.map("https://a.example/{}".format)
RECORDS = st.builds(
    lambda number, aliases, runs, reason: record(
        number, aliases=tuple(aliases), missing_runs=runs, missing_reason=reason
    ),
    NUMBERS,
    st.sets(URLS, max_size=3).map(sorted),
    st.integers(0, 2),
    st.sampled_from(["", "http_404"]),
)
CALLS = st.one_of(
    st.tuples(st.just("put"), st.tuples(st.lists(RECORDS, min_size=1, max_size=4))),
    st.tuples(st.just("mark_writing"), st.tuples(st.lists(RECORDS, max_size=3))),
    st.tuples(st.just("mark_seen"), st.tuples(IDS, st.just("run 2"), st.just(Revisit(1.5, 2.25)))),
    st.tuples(st.just("mark_missing"), st.tuples(st.sets(IDS, max_size=3).map(sorted), st.just("noindex"))),
    st.tuples(st.just("mark_all_unread"), st.just(())),
    st.tuples(st.just("remove"), st.tuples(st.lists(IDS, max_size=2))),
)


@pytest.fixture(params=["sqlite", "postgres"])
def catalogue(request: pytest.FixtureRequest) -> Iterator[DocumentCatalogue]:
    opened: DocumentCatalogue
    if request.param == "sqlite":
        opened = SqliteCatalogue(None)
    else:
        address: PostgresAddress = request.getfixturevalue("postgres_address")
        opened = PostgresCatalogue(address, "catalogue")
    with opened:
        yield opened


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(CALLS, max_size=8))
def test_any_calls_leave_what_a_dict_would_hold(
    catalogue: DocumentCatalogue, calls: list[tuple[str, tuple[Any, ...]]]
) -> None:
    catalogue.clear()
    model = Model()
    for name, arguments in calls:
        getattr(catalogue, name)(*arguments)
        getattr(model, name)(*arguments)
    found = list(catalogue.documents())
    assert found == model.documents()
    assert catalogue.count() == len(found)
    assert [catalogue.get(each.document_id) for each in found] == found
