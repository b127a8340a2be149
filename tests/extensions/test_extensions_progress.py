"""The progress line."""

import logging
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.extensions.progress import ProgressExtension, _clock, _roughly
from ragcrawler.frontier import Target
from ragcrawler.run.reporting.forecast import Progress
from ragcrawler.spiders.seeds import SeedsSpider


def crawler(tmp_path: Path, **settings: Any) -> Any:
    values = Settings(
        {
            **project_settings(),
            "OUTPUT_DIR": str(tmp_path),
            "TWISTED_REACTOR_ENABLED": False,
            "EXTENSIONS": {},  # others want a reactor
            **settings,
        }
    )
    return get_crawler(SeedsSpider, values)


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (65.9, "1:05"), (3661, "1:01:01")])
def test_the_clock_shows_hours_only_when_there_are_any(seconds: float, text: str) -> None:
    assert _clock(seconds) == text


def test_the_line_fits_into_80_columns_for_a_large_crawl(tmp_path: Path) -> None:
    progress = ProgressExtension.from_crawler(crawler(tmp_path))
    for number in range(20_000):
        progress.frontier.ledger.add(Target(f"https://a.org/{number}"))
    for number in range(12_000):
        progress.frontier.ledger.keep(f"https://a.org/{number}")
    for number in range(12_000, 12_345):
        progress.frontier.ledger.skip(f"https://a.org/{number}", "unchanged")
    progress.crawler.stats.set_value("ragcrawler/upsert/points", 1_234_000)
    progress.crawler.stats.set_value("ragcrawler/documents/unchanged_chunks", 567)
    line = progress.line()
    assert line.startswith("12345 pages, 7655 queued, 1234567 chunks, ")
    assert len(line) < 64  # two columns of 80 go to the spinner, 14 to the estimate


def test_the_line_says_about_how_long_it_will_take_once_the_queue_shrinks(tmp_path: Path) -> None:
    progress = ProgressExtension.from_crawler(crawler(tmp_path))
    progress.frontier.ledger.add(Target("https://a.org/"))
    for seconds, still_open in ((0, 100), (30, 70)):
        progress._forecast.add(Progress(seconds, still_open, 100 - still_open))
    assert progress.line().endswith(", ~70 s left")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2, "10 s"), (34, "30 s"), (94, "90 s"), (100, "2 min"), (5_700, "95 min"), (8_000, "2.2 h")],
)
def test_an_estimate_is_no_more_exact_than_it_can_be(seconds: float, text: str) -> None:
    assert _roughly(seconds) == text


def test_what_has_become_known_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    progress = ProgressExtension.from_crawler(crawler(tmp_path))
    for number in range(100):
        progress.frontier.ledger.add(Target(f"https://a.org/{number}"))
    progress._forecast.add(Progress(-30, 148, 0))
    for number in range(40):
        progress.frontier.ledger.keep(f"https://a.org/{number}")
    progress.crawler.stats.set_value("ragcrawler/upsert/points", 487)
    limits = BatchLimits(1, 512, runs=2, limit_tokens=512)
    progress.run.times.timed("embed_dense", lambda texts: texts, limits)
    progress.run.times.add("embed_dense", wall_seconds=4.0, cpu_seconds=3.0, count=20)
    with caplog.at_level(logging.INFO, "ragcrawler.extensions.progress"):
        progress._look()
        progress._look()
    said = [record.getMessage() for record in caplog.records]
    assert said[0] == "The models embed about 10 chunks a second on this machine"
    assert said[1].startswith("About 60 pages are left, with some 730 chunks: about ")
    assert len(said) == 2


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured):
        ProgressExtension.from_crawler(crawler(tmp_path, PROGRESS_ENABLED=False))
