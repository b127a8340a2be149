"""The progress line."""

from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from ragcrawler.config.defaults import project_settings
from ragcrawler.extensions.progress import ProgressExtension, _clock
from ragcrawler.spiders.seeds import SeedsSpider


def crawler(tmp_path: Path, **settings: Any) -> Any:
    values = Settings(
        {**project_settings(), "OUTPUT_DIR": str(tmp_path), "TWISTED_REACTOR_ENABLED": False, **settings}
    )
    return get_crawler(SeedsSpider, values)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (65.9, "1:05"), (3661, "1:01:01")])
def test_the_clock_shows_hours_only_when_there_are_any(seconds: float, text: str) -> None:
    assert _clock(seconds) == text


def test_the_line_fits_into_80_columns_for_a_large_crawl(tmp_path: Path) -> None:
    progress = ProgressExtension.from_crawler(crawler(tmp_path))
    for number in range(20_000):
        progress.run.ledger.seen(f"https://a.org/{number}")
    for number in range(12_000):
        progress.run.ledger.fetched(f"https://a.org/{number}")
    for number in range(12_000, 12_345):
        progress.run.ledger.skipped(f"https://a.org/{number}", "unchanged")
    progress.crawler.stats.set_value("ragcrawler/upsert/points", 1_234_000)
    progress.crawler.stats.set_value("ragcrawler/documents/unchanged_chunks", 567)
    line = progress.line()
    assert line.startswith("12345 pages fetched, 7655 queued, 1234567 chunks, ")
    assert len(line) < 78  # two columns go to the spinner


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured):
        ProgressExtension.from_crawler(crawler(tmp_path, PROGRESS_ENABLED=False))
