"""The report: numbers that add up, and the exit code that follows from them."""

import dataclasses

import pytest

from ragcrawler.frontier.states.protocol import UrlCounts
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.recorded_run import RecordedRun
from ragcrawler.run.reporting.recovered_run import FailureSummary
from ragcrawler.run.reporting.report import ChunkCounts, ExitCode, RunReport, chunk_counts
from ragcrawler.run.reporting.report_markdown import report_markdown
from ragcrawler.run.reporting.stage_times import StageTime
from ragcrawler.stores import CollectionModels

WHOLE = RunReport(
    spider="seeds",
    started="2026-01-02T03:04:05+00:00",
    elapsed_seconds=4.0,
    end="finished",
    refusal="",
    pages=UrlCounts(seen=10, open=0, fetched=7, skipped={"junk": 2, "robots": 1}, failed={}),
    chunks=ChunkCounts(made=40, points=40, lost=0, unchanged=12, removed=1, tokens=9000, new=25, updated=3),
    collection="output/qdrant/ragcrawler",
    collection_points=40,
    models=CollectionModels("bundled/all-MiniLM-L6-v2", 384, "bundled/splade-tiny"),
    converters={"html-projection": 7},
    stats={},
)


def text_of(report: RunReport, failures: FailureSummary | None = None) -> str:
    """The Markdown of a run that left nothing but a report, and perhaps a list of lost pages."""
    return report_markdown(RecordedRun("r1", report, failures or FailureSummary(), CrawlActivity()))


def pages(**counts: object) -> UrlCounts:
    return dataclasses.replace(WHOLE.pages, **counts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (WHOLE, ExitCode.WHOLE),
        (dataclasses.replace(WHOLE, refusal="the store is held by process 7"), ExitCode.NOT_STARTED),
        (
            dataclasses.replace(WHOLE, pages=UrlCounts(1, 0, 0, {"robots": 1}, {})),
            ExitCode.NOTHING_FETCHED,
        ),
        (dataclasses.replace(WHOLE, pages=pages(seen=11, failed={"http_500": 1})), ExitCode.PAGES_LOST),
        (dataclasses.replace(WHOLE, pages=pages(seen=11)), ExitCode.NUMBERS_DISAGREE),
        (
            dataclasses.replace(WHOLE, chunks=dataclasses.replace(WHOLE.chunks, points=39)),
            ExitCode.NUMBERS_DISAGREE,
        ),
        (dataclasses.replace(WHOLE, end="shutdown"), ExitCode.INTERRUPTED),
        (dataclasses.replace(WHOLE, end="shutdown", refusal="it waited"), ExitCode.INTERRUPTED),
        (dataclasses.replace(WHOLE, end="max_pages"), ExitCode.WHOLE),
    ],
)
def test_the_exit_code_says_how_the_crawl_went(report: RunReport, code: ExitCode) -> None:
    assert report.exit_code == code
    assert report.to_json()["exit_code"] == int(code)


def test_the_sums_that_do_not_come_out_are_named() -> None:
    report = dataclasses.replace(
        WHOLE, pages=pages(seen=12), chunks=dataclasses.replace(WHOLE.chunks, made=50, lost=3)
    )
    assert report.disagreements == [
        "12 URLs seen, but 7 + 3 + 0 accounted for",
        "50 chunks made, but 40 stored + 3 lost",
    ]
    assert "The numbers do not add up" in text_of(report)


def test_chunks_are_counted_from_the_stats_of_the_pipelines() -> None:
    stats = {
        "ragcrawler/chunk/chunks": 10,
        "ragcrawler/chunk/tokens": 2000,
        "ragcrawler/embed/lost": 2,
        "ragcrawler/upsert/unchanged": 3,
        "ragcrawler/upsert/lost": 1,
        "ragcrawler/upsert/points": 7,
        "downloader/request_count": 99,
    }
    assert chunk_counts(stats) == ChunkCounts(made=10, points=7, lost=3, unchanged=3, removed=0, tokens=2000)


def test_the_markdown_names_every_reason_and_the_collection() -> None:
    text = text_of(WHOLE)
    for line in (
        "| skipped: junk | 2 |",
        "10 URLs were seen.",
        "| stored | 40 |",
        "| tokens of a chunk, on average | 225 |",
        "| html-projection | 7 |",
        "| collection | output/qdrant/ragcrawler |",
        "| points in it | 40 |",
        "| models | bundled/all-MiniLM-L6-v2 and bundled/splade-tiny |",
    ):
        assert line in text
    assert "| lost |" not in text


def test_the_times_of_the_stages_say_which_clock_they_are_by() -> None:
    times = {
        "embed_sparse": StageTime(40, 8.04, 7.5),
        "fetch_wait": StageTime(7, 12.3),
        "convert": StageTime(7, 2.0, 1.5),
    }
    report = dataclasses.replace(WHOLE, times=times, chunks_per_second=4.25)
    text = text_of(report)
    table = [
        "| stage | of | wall seconds, added up | CPU seconds |",
        "|---|---:|---:|---:|",
        "| fetch: waiting for sites | 7 requests | 12.3 |  |",
        "| convert | 7 pages | 2.0 | 1.5 |",
        "| embed: sparse | 40 texts | 8.0 | 7.5 |",
    ]
    assert "\n".join(table) in text
    assert "The models embed 4.2 chunks a second on this machine." in text
    assert report.to_json()["times"]["fetch_wait"] == {
        "count": 7,
        "wall_seconds": 12.3,
        "cpu_seconds": None,
    }
    assert "## Time" not in text_of(WHOLE)


def test_it_says_where_to_read_more_of_what_was_left_out() -> None:
    lost = dataclasses.replace(WHOLE, pages=pages(seen=11, failed={"http_500": 1}))
    nothing = dataclasses.replace(WHOLE, pages=UrlCounts(seen=7, open=0, fetched=7))
    failures = FailureSummary({("fetch", "http_500"): 1})
    assert "`failures.jsonl`" in text_of(lost, failures=failures)
    assert "`-s TRACE_URLS=1`" in text_of(WHOLE)
    assert "`failures.jsonl`" not in text_of(WHOLE)
    assert "TRACE_URLS" not in text_of(nothing)


@pytest.mark.parametrize("reason", ["shutdown", "disk_full", "closespider_timeout", "finished"])
def test_what_a_crawl_did_not_come_to_is_not_called_left_out_on_purpose(reason: str) -> None:
    interrupted = dataclasses.replace(WHOLE, end=reason, pages=pages(seen=191, skipped={reason: 184}))
    text = text_of(interrupted)
    assert f"| not reached: {reason} | 184 |" in text
    assert "ended before it came to 184 of the URLs: start the same crawl again" in text
    assert "on purpose" not in text
    both = text_of(dataclasses.replace(interrupted, pages=pages(skipped={reason: 2, "junk": 3})))
    assert "| skipped: junk | 3 |" in both
    assert "came to 2 of the URLs" in both
    assert "Skipped URLs were left out on purpose" in both


def test_items_of_other_kinds_are_told_of() -> None:
    assert "Items of other kinds" not in text_of(WHOLE)
    stats = {"ragcrawler/foreign/items": 3, "ragcrawler/foreign/unusable": 1}
    text = text_of(dataclasses.replace(WHOLE, stats=stats))
    assert "passed on untouched and not indexed: 4." in text
    assert "without an address of the web as `url`: 1." in text
