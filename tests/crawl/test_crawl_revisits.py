"""A crawl that asks only for what is due: nothing else is requested, and nothing is deleted for that."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Crawl = Callable[..., Any]
KEPT = {
    "GONE_AFTER": 1,
    "DELETE_BRAKE": 100,
    "SITEMAPS": "off",
    "REVISIT_MIN_HOURS": 1,
    "REVISIT_GROWTH": 0.5,
    "REVISIT_SHRINKAGE": 0.5,
}


def make_due(output: Path, *paths: str) -> None:
    """Let the date of some pages be past."""
    database = sqlite3.connect(output / "catalogue" / "ragcrawler.sqlite")
    with database:
        for path in paths:
            changed = database.execute("UPDATE documents SET due_at = 1.0 WHERE url LIKE ?", [f"%{path}"])
            assert changed.rowcount == 1
    database.close()


def intervals(output: Path) -> dict[str, float]:
    """Hours by path."""
    database = sqlite3.connect(output / "catalogue" / "ragcrawler.sqlite")
    rows = dict(database.execute("SELECT url, interval_seconds FROM documents"))
    database.close()
    return {urlsplit(url).path: seconds / 3600 for url, seconds in rows.items()}


def asked(site: Any) -> set[str]:
    """Paths of pages; forgets them."""
    paths = set(site.requests) - {"/robots.txt"}
    site.requests.clear()
    return paths


def test_only_what_is_due_and_what_is_new_is_asked_for(site: Any, crawl: Crawl) -> None:
    site.page("/", "/same", "/changed", "/gone", "/rest", "/moved")
    for path in ("/same", "/changed", "/gone", "/rest", "/elsewhere"):
        site.page(path)
    site.page("/moved", "/elsewhere")
    first = crawl(domains=site.url, **KEPT)
    assert (asked(site) >= {"/rest", "/elsewhere"}, first.report["documents"]["new"]) == (True, 7)
    make_due(first.output, "/same", "/changed", "/gone")
    site.page("/changed", "/brand-new", "/elsewhere", text=f"{'Something else is said here now. ' * 5}")
    site.page("/brand-new")
    del site.answers["/gone"]

    run = crawl(domains=site.url, revisit="due", **KEPT)
    assert asked(site) == {"/", "/brand-new", "/changed", "/gone", "/same"}
    documents = run.report["documents"]
    counts = {"new": 1, "changed": 1, "unchanged": 2, "removed": 1, "waiting": 0}
    assert {name: documents[name] for name in counts} == counts
    due = {name: run.stats[f"ragcrawler/revisits/{name}"] for name in ("due", "not_due")}
    assert (due, run.skipped["not_due"]) == ({"due": 3, "not_due": 3}, 3)
    hours = intervals(run.output)
    assert {"/same": 36.0, "/changed": 12.5, "/rest": 24.0, "/brand-new": 24.0}.items() <= hours.items()

    nothing = crawl(domains=site.url, revisit="due", **KEPT)
    assert asked(site) == {"/", "/gone"}  # to which the start page still links
    assert (nothing.report["exit_code"], nothing.report["documents"]["removed"]) == (0, 0)
