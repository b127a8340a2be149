"""Embedding in a crawl: what it costs, and what it never costs again."""

from collections.abc import Callable
from typing import Any

Crawl = Callable[..., Any]


def embedded(run: Any) -> dict[str, int]:
    """The counts of the embedding stage, "texts" and so on."""
    prefix = "ragcrawler/embed/"
    return {name.removeprefix(prefix): count for name, count in run.stats.items() if name.startswith(prefix)}


def test_another_collection_embeds_nothing_anew(site: Any, crawl: Crawl) -> None:
    site.page("/", "/a")
    site.page("/a")
    first = crawl(domains=site.url)
    second = crawl(domains=site.url, QDRANT_COLLECTION="another")
    assert embedded(second)["texts"] == 0
    assert embedded(second)["cached"] == embedded(first)["texts"] == second.report["chunks"]["points"] > 0


def test_a_page_that_moved_embeds_nothing_anew(site: Any, crawl: Crawl) -> None:
    site.page("/", "/old")
    site.page("/old", text="What this page says stays the same wherever it lies.")
    crawl(domains=site.url)
    answer = site.answers.pop("/old")
    site.answers["/new"] = answer
    site.page("/", "/new")
    again = embedded(crawl(domains=site.url))
    assert again["cached"] > 0
    assert again["texts"] <= 1  # the start page, whose link changed


def test_without_a_cache_every_collection_is_embedded(site: Any, crawl: Crawl) -> None:
    site.page("/")
    first = crawl(domains=site.url, EMBEDDING_CACHE_MEBIBYTES=0)
    second = crawl(domains=site.url, EMBEDDING_CACHE_MEBIBYTES=0, QDRANT_COLLECTION="another")
    assert embedded(second)["texts"] == embedded(first)["texts"] > 0
    assert not (first.output / "embedding_cache.sqlite").exists()


def test_a_damaged_cache_entry_is_reported_and_made_anew(site: Any, crawl: Crawl) -> None:
    site.page("/")
    first = crawl(domains=site.url)
    _damage(first.output / "embedding_cache.sqlite")
    second = crawl(domains=site.url, QDRANT_COLLECTION="another")
    assert embedded(second)["cache_damaged"] == 1
    assert embedded(second)["texts"] == 1
    assert second.report["exit_code"] == 0


def _damage(path: Any) -> None:
    import sqlite3

    with sqlite3.connect(path) as database:
        database.execute("UPDATE vector SET content = zeroblob(8) WHERE rowid = 1")
    database.close()
