"""Errors where none should be: counted, listed with a stack trace, and survived."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ragcrawler.frontier.target_queue import LeasedTarget, TargetQueue
from ragcrawler.items import Document
from ragcrawler.spiders.responses import page_reader

Crawl = Callable[..., Any]


class BreakingPipeline:
    """Raises what no pipeline should, for one page."""

    def process_item(self, document: Document) -> Document:
        if document.url.endswith("/bad"):
            raise RuntimeError("a bug")
        return document


def test_a_bug_in_a_pipeline_costs_its_page_alone(site: Any, crawl: Crawl, settings: dict[str, Any]) -> None:
    site.page("/", "/bad", "/good")
    site.page("/bad")
    site.page("/good")
    run = crawl(domains=site.url, ITEM_PIPELINES=settings["ITEM_PIPELINES"] | {BreakingPipeline: 150})
    assert run.report["pages"]["fetched"] == 2
    assert run.failed == {"pipeline_error": 1}
    (failure,) = run.failures
    assert failure["error_type"] == "RuntimeError"
    assert "a bug" in failure["stack_trace"]
    assert run.report["exit_code"] == 4


def test_a_bug_in_the_spider_costs_its_page_alone(site: Any, crawl: Crawl, monkeypatch: Any) -> None:
    site.page("/", "/bad", "/good")
    site.page("/bad")
    site.page("/good")
    page_of = page_reader.page_of

    def breaking(response: Any, visit: Any) -> Any:
        if visit.url.endswith("/bad"):
            raise RuntimeError("a bug")
        return page_of(response, visit)

    monkeypatch.setattr(page_reader, "page_of", breaking)
    run = crawl(domains=site.url)
    assert run.report["pages"]["fetched"] == 2
    assert run.failed == {"parse_error": 1}
    assert run.failures[0]["url"] == f"{site.url}/bad"


def test_a_page_that_takes_too_long_to_convert_is_given_up(site: Any, crawl: Crawl) -> None:
    rows = "".join(f"<tr><td>{number}</td><td>value</td></tr>" for number in range(60_000))
    site.page("/", "/huge")
    site.answers["/huge"] = (200, {}, f"<html><body><table>{rows}</table></body></html>".encode())
    run = crawl(domains=site.url, PREPARATION_TIMEOUT_SECONDS=0.2)
    assert run.failed.get("timed_out", 0) >= 1
    assert run.report["disagreements"] == []


def test_a_page_over_the_size_limit_is_named_as_such(site: Any, crawl: Crawl) -> None:
    site.page("/", "/large")
    site.answers["/large"] = (200, {}, b"<p>" + b"word " * 300_000)
    run = crawl(domains=site.url, DOWNLOAD_MAXSIZE=1_000_000)
    assert run.failed == {"too_large": 1}


def test_a_page_over_which_process_after_process_died_is_lost(
    site: Any, crawl: Crawl, monkeypatch: Any
) -> None:
    site.page("/", "/deadly", "/good")
    site.page("/deadly")
    site.page("/good")
    lease = TargetQueue._lease

    def after_crashes(queue: TargetQueue, host: str, now: float) -> LeasedTarget | None:
        leased = lease(queue, host, now)
        is_deadly = leased is not None and leased.target.url.endswith("/deadly")
        return replace(leased, crashes=30) if leased and is_deadly else leased

    monkeypatch.setattr(TargetQueue, "_lease", after_crashes)
    run = crawl(domains=site.url, SITEMAPS="off")
    assert (run.report["pages"]["fetched"], run.failed, run.report["exit_code"]) == (2, {"crashes": 1}, 4)
    assert "/deadly" not in site.requests
    (failure,) = run.failures
    assert (failure["url"], failure["attempts"]) == (f"{site.url}/deadly", 30)
    assert failure["message"] == "30 processes died while they had this page in hand"
