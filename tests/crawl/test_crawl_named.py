"""Every URL that the user names is asked for, or said not to have been."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Crawl = Callable[..., Any]


@pytest.fixture
def fetch(crawl: Crawl) -> Crawl:
    return lambda **keywords: crawl(SITEMAPS="off", ITEM_PIPELINES={}, **keywords)


@pytest.fixture
def names(site: Any, tmp_path: Path) -> str:
    """A list of 60 URLs of which each links to the next ones."""
    paths = [f"/page/{number}" for number in range(60)]
    for number, path in enumerate(paths):
        site.page(path, *paths[number + 1 : number + 40])
    file = tmp_path / "names.txt"
    file.write_text("\n".join(site.url + path for path in paths), encoding="utf-8")
    return f"@{file}"


def test_a_link_to_a_named_url_does_not_make_it_too_deep(site: Any, names: str, fetch: Crawl) -> None:
    run = fetch(urls=names, max_depth=0)
    assert run.report["pages"]["fetched"] == 60
    assert run.skipped == {}
    assert run.report["exit_code"] == 0


def test_what_was_named_and_not_asked_for_is_retried(site: Any, names: str, fetch: Crawl) -> None:
    first = fetch(urls=names, max_depth=0, max_pages=20)
    left = first.report["named_unfinished"]
    assert 0 < left <= 40
    assert {failure["reason"] for failure in first.failures} == {"not_finished"}
    assert len(first.failures) == left
    assert first.report["exit_code"] == 4
    assert f"not done when the crawl ended: {left}." in next(
        (first.output / "runs").glob("*/report.md")
    ).read_text(encoding="utf-8")
    site.requests.clear()
    again = fetch(retry_failed="last")
    assert again.report["pages"]["fetched"] == left
    assert again.report["exit_code"] == 0
    assert len(site.requests) == left + 1  # robots.txt
