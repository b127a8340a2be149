"""The progress line."""

import logging
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
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


def test_the_bars_show_what_is_done_of_what_is_known(tmp_path: Path) -> None:
    progress = ProgressExtension.from_crawler(crawler(tmp_path))
    for number in range(20):
        progress.frontier.ledger.add(Target(f"https://a.org/{number}"))
    for number in range(5):
        progress.frontier.ledger.keep(f"https://a.org/{number}")
    progress.frontier.ledger.skip("https://a.org/5", "unchanged")
    progress.frontier.ledger.fail("https://a.org/6", "timeout")
    assert progress.bars() == [("Documents", 7, 20)]


def test_the_total_is_what_the_bound_of_a_crawl_leaves(tmp_path: Path) -> None:
    progress = ProgressExtension.from_crawler(crawler(tmp_path))
    progress.run.options = replace(progress.run.options, max_pages=8)
    for number in range(20):
        progress.frontier.ledger.add(Target(f"https://a.org/{number}"))
    for number in range(5):
        progress.frontier.ledger.keep(f"https://a.org/{number}")
    assert progress.bars() == [("Documents", 5, 8)]
    assert ", 3 queued," in progress.line()


def test_the_total_is_what_a_source_has_counted_before_its_pages_are_read(tmp_path: Path) -> None:
    made = crawler(tmp_path)
    progress = ProgressExtension.from_crawler(made)
    made.spider = SimpleNamespace(expected_pages=100)
    progress.frontier.ledger.add(Target("https://a.org/"))
    progress.frontier.ledger.keep("https://a.org/")
    assert progress.bars() == [("Documents", 1, 100)]
    assert ", 99 queued," in progress.line()


def test_summaries_have_a_bar_and_elsewhere_a_place_in_the_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = {"SUMMARIZE": True, "LLM_MODEL": "small", "LLM_BASE_URL": "http://127.0.0.1:9/v1"}
    progress = ProgressExtension.from_crawler(crawler(tmp_path, **settings))
    progress._terminal = None
    for name, value in (("made", 5), ("known", 2), ("chunks", 30)):
        progress.crawler.stats.set_value(f"ragcrawler/summarize/{name}", value)
    assert progress.bars()[1:] == [("Summaries", 7, 30)]
    with caplog.at_level(logging.INFO, "ragcrawler.extensions.progress"):
        progress._show()
    assert caplog.messages[0].endswith(", 7/30 summaries")
