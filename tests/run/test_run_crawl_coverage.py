"""Which documents a crawl finds gone."""

from collections import Counter
from typing import Any

import pytest

from ragcrawler.catalogue import DocumentRecord
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.states.protocol import UrlCounts
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.run.crawl_coverage import CrawlCoverage, missing_documents, site_findings, was_exhaustive

SITE = "a.example"


@pytest.mark.parametrize(
    ("skipped", "ran_dry", "cut", "is_full"),
    [
        ({}, True, 0, True),
        ({}, False, 0, False),
        ({}, True, 1, False),
        ({"unchanged": 5, "http_404": 1, "robots": 2, "offsite": 9, "junk": 1, "noindex": 1}, True, 0, True),
        ({"max_pages": 1}, True, 0, False),
        ({"not_due": 1}, True, 0, False),
        ({"max_depth": 1}, True, 0, False),
        ({"site_gave_up": 1}, True, 0, False),
        ({"robots_unavailable": 1}, True, 0, False),
        ({"trap_calendar": 1}, True, 0, False),
        ({"a reason of tomorrow": 1}, True, 0, False),
    ],
)
def test_a_crawl_is_full_when_nothing_that_was_left_out_can_hide_a_link(
    skipped: dict[str, int], ran_dry: bool, cut: int, is_full: bool
) -> None:
    counts = UrlCounts(seen=20, open=0, fetched=20 - sum(skipped.values()), skipped=Counter(skipped))
    assert was_exhaustive(counts, ran_dry=ran_dry, links_cut=cut) is is_full


def record(name: str) -> DocumentRecord:
    return DocumentRecord(name, f"https://{SITE}/{name}", SITE, "page", "content", "p")


FATES = {
    "there": ("fetched", ""),
    "same": ("skipped", "unchanged"),
    "gone": ("skipped", "http_410"),
    "hidden": ("skipped", "noindex"),
    "moved": ("skipped", "redirected"),
    "forbidden": ("skipped", "robots"),
    "broken": ("failed", "http_500"),
    "unread": ("skipped", "max_pages"),
    "early": ("skipped", "not_due"),
}


def missing(*names: str, **changes: Any) -> dict[str, str]:
    """The missing ones of some documents; those without a status were not seen."""
    ledger = UrlLedger(SqliteState().urls)
    for name in names:
        fate, reason = FATES.get(name, ("", ""))
        if fate == "fetched":
            ledger.keep(f"https://{SITE}/{name}")
        elif fate:
            getattr(ledger, {"skipped": "skip", "failed": "fail"}[fate])(f"https://{SITE}/{name}", reason)
    fields: dict[str, Any] = {
        "contains": lambda url: True,
        "status": ledger.status,
        "is_full": True,
        "crawl": "c",
    }
    coverage = CrawlCoverage(**(fields | changes))
    found = site_findings(map(record, names), coverage)
    return missing_documents(SITE, found, coverage, lambda document_id, crawl: document_id != "stranger")


def test_each_document_is_judged_by_what_became_of_its_url() -> None:
    found = missing(*FATES, "unlinked", "stranger")
    assert found == {"gone": "http_410", "hidden": "noindex", "moved": "redirected", "unlinked": "unlinked"}


@pytest.mark.parametrize(
    "changes",
    [{"is_full": False}, {"incomplete_sites": {SITE}}],
    ids=["not full", "a page could not be read"],
)
def test_without_the_whole_site_only_facts_count(changes: dict[str, Any]) -> None:
    assert missing("there", "gone", "unlinked", **changes) == {"gone": "http_410"}


def test_a_site_of_which_nothing_was_there_is_not_called_unlinked() -> None:
    assert missing("broken", "unlinked") == {}


def test_what_is_outside_of_the_crawl_is_not_judged() -> None:
    assert missing("there", "gone", "unlinked", contains=lambda url: "there" in url) == {}
