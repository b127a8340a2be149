"""A banner on every page stays out of the chunks of all pages but one, whatever crawl read them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.chunking import block_counts
from ragcrawler.stores import StoreConfig, open_store

BANNER = "You read the handbook of an old release that is no longer supported."


def put_pages(site: Any, count: int, banner: str = BANNER) -> None:
    paths = [f"/{number}.md" for number in range(count)]
    site.page("/", *paths)
    for number, path in enumerate(paths):
        own = " ".join(f"word{number}x{index}" for index in range(30))
        markdown = f"# Valve {number}\n\n{banner}\n\nValve {number} says {own}.\n"
        site.answers[path] = (200, {"Content-Type": "text/markdown"}, markdown.encode())


def test_a_banner_of_all_pages_is_in_the_chunks_of_one(
    site: Any, settings: dict[str, Any], crawl: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_counts, "_LEAST_PAGES", 4)
    put_pages(site, 5)
    config = StoreConfig(folder=Path(settings["OUTPUT_DIR"]) / "qdrant", collection="ragcrawler")

    def contents() -> dict[str, str]:
        with open_store(config) as store:
            return {chunk.id: chunk.content for chunk in store.scroll()}

    first = crawl(domains=site.url)
    assert first.stats["ragcrawler/shared_blocks/blocks"] == 1
    assert first.stats["ragcrawler/shared_blocks/documents"] == 4
    stored = contents()
    assert [BANNER in content for content in stored.values()].count(True) == 1
    assert sum("says word" in content for content in stored.values()) == 5
    assert all(BANNER in each["markdown"] for each in first.documents if each["url"].endswith(".md"))

    # The next crawl changes nothing, and cuts a new page without it at once.
    put_pages(site, 6)
    second = crawl(domains=site.url)
    assert second.stats.get("ragcrawler/shared_blocks/documents", 0) == 0
    assert second.stats["ragcrawler/convert/shared_characters"] > len(BANNER)
    assert {each: contents()[each] for each in stored if each in contents()}.keys() >= {
        each for each, content in stored.items() if "says word" in content
    }
    assert [BANNER in content for content in contents().values()].count(True) == 1
