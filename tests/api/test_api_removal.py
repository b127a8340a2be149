"""`ragcrawler.remove`: pages taken out from a script."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import ragcrawler
from tests.server.library import HANDBOOK, HOSTILE_URL, fill, settings


@pytest.fixture
def given(tmp_path: Path) -> dict[str, Any]:
    fill(tmp_path)
    return settings(tmp_path)


def test_a_page_is_removed_and_no_longer_found(given: dict[str, Any]) -> None:
    looked = ragcrawler.remove(HANDBOOK, dry_run=True, settings=given)
    removed = ragcrawler.remove(document_ids=["guide"], keep_out=True, settings=given)
    assert (
        (looked.urls, looked.counts)
        == (removed.urls, removed.counts)
        == ((HANDBOOK,), {"chunks": 4, "documents": 1})
    )
    found = ragcrawler.search("rotate the logs", 50, settings=given)
    assert {hit.source_url for hit in found} == {HOSTILE_URL}
    assert [entry.pattern for entry in ragcrawler.kept_out(settings=given)] == [HANDBOOK]
    assert ragcrawler.allow(HANDBOOK, settings=given) == 1
    assert ragcrawler.kept_out(settings=given) == []


async def test_it_works_where_an_event_loop_runs(given: dict[str, Any]) -> None:
    assert ragcrawler.remove("a.org", settings=given).counts == {}
    assert (await asyncio.to_thread(ragcrawler.remove, HANDBOOK, settings=given)).urls == (HANDBOOK,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda given: ragcrawler.remove(settings=given), "name what is to be removed"),
        (lambda given: ragcrawler.remove("no domain", settings=given), "neither the URL of a page"),
        (lambda given: ragcrawler.allow("a.org", settings=given), "has no entry on the list"),
        (lambda given: ragcrawler.remove("a.org", settings={"OUTPUT": "x"}), "no setting of this name"),
    ],
)
def test_what_cannot_be_done_is_one_error(given: dict[str, Any], call: Any, message: str) -> None:
    with pytest.raises(ragcrawler.RagcrawlerError, match=message):
        call(given)
