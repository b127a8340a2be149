"""The head of a run's report, its course, and what changed."""

from collections.abc import Callable, Iterator, Sequence

from lxml import etree

from ragcrawler.retrieval.formatting.html import element
from ragcrawler.run.reporting.activity import ListedPage
from ragcrawler.run.reporting.html.lists import number, number_pairs, number_table, page_list, wide_table
from ragcrawler.run.reporting.html.plots import clock, time_plot
from ragcrawler.run.reporting.html.recorded_run import RecordedRun
from ragcrawler.run.reporting.report import ExitCode, RunReport
from ragcrawler.run.reporting.rows.outcomes import document_rows

Elements = Iterator[etree._Element]

_ENDS = {
    ExitCode.WHOLE: "whole: nothing was lost",
    ExitCode.NOT_STARTED: "it could not begin",
    ExitCode.NOTHING_FETCHED: "nothing was fetched",
    ExitCode.PAGES_LOST: "some pages were lost",
    ExitCode.NUMBERS_DISAGREE: "the numbers do not add up",
    ExitCode.DELETION_BRAKED: "too many pages are gone at once: they were kept",
    ExitCode.SUMMARIES_MISSING: "some summaries are missing",
    ExitCode.INTERRUPTED: "interrupted: the same command goes on",
}
_COMPARED: dict[str, Callable[[RunReport], float | None]] = {
    "pages fetched": lambda report: report.pages.fetched,
    "URLs skipped": lambda report: sum(report.pages.skipped.values()),
    "URLs failed": lambda report: sum(report.pages.failed.values()),
    "chunks stored": lambda report: report.chunks.points,
    "chunks new": lambda report: report.chunks.new,
    "chunks removed": lambda report: report.chunks.removed,
    "texts embedded": lambda report: report.chunks.embedded,
    "points in the collection": lambda report: report.collection_points,
    "seconds": lambda report: report.elapsed_seconds,
}


def summary(run: RecordedRun, most: int) -> Elements:  # noqa: ARG001 - all sections have one shape
    """How it ended, and the numbers that matter most."""
    report = run.report
    if report is None:
        text = "This run left no report: it was killed, or is still at work. This is what its files tell."
        yield element("p", text, class_="state bad")
        return
    code = report.exit_code
    kind = "good" if code == ExitCode.WHOLE else "bad"
    yield element("p", f"{_ENDS[code].capitalize()} (exit code {int(code)}).", class_=f"state {kind}")
    yield from _warnings(report)
    rate = report.pages.fetched / report.elapsed_seconds if report.elapsed_seconds else 0.0
    figures = {
        "pages fetched": report.pages.fetched,
        "URLs skipped": sum(report.pages.skipped.values()),
        "URLs failed": sum(report.pages.failed.values()),
        "chunks stored": report.chunks.points,
        "time": clock(report.elapsed_seconds),
        "pages a second": round(rate, 2),
    }
    yield element("dl", *number_pairs(figures), class_="figures")
    yield number_table(
        {
            "spider": report.spider,
            "began": report.started.replace("T", " ").replace("+00:00", " UTC"),
            "ended for": report.refusal or report.end,
            "collection": report.collection,
            "points in it": "unknown" if report.collection_points is None else report.collection_points,
            "models": f"{report.models.dense} and {report.models.sparse}" if report.models else "none",
        }
    )


def course(run: RecordedRun, most: int) -> Elements:  # noqa: ARG001 - all sections have one shape
    """Pages and chunks over time."""
    if not any(each.length for each in run.stretches):
        yield element("p", "It was not recorded, or nothing was done.")
        return
    if run.is_estimated:
        yield element("p", "By the times at which the documents in the feed were fetched.", class_="quiet")
    yield time_plot("Pages", run.stretches, ("pages", "skipped", "failed"))
    yield element("p", "Skipped here are pages that were fetched and then left out.", class_="quiet")
    yield time_plot("Chunks", run.stretches, ("chunks",))
    if len(run.stretches) > 1:
        text = f"The crawl went on {len(run.stretches) - 1} times after a break, at the dashed lines."
        yield element("p", text, class_="quiet")


def changes(run: RecordedRun, most: int) -> Elements:
    """What changed in the collection, and against the last crawl."""
    report = run.report
    if report is None:
        yield element("p", "Only a report tells.")
        return
    yield number_table(document_rows(report.documents))
    yield from _changed_pages(run, report, most)
    yield element("h3", "Beside the last crawl")
    if run.last is None:
        yield element("p", "There is no report of an earlier crawl into this collection with this spider.")
    else:
        heads = ("", "last", "this", "difference")
        yield wide_table("Beside the last crawl", heads, _compared(run.last, report))


def _warnings(report: RunReport) -> Elements:
    for text in report.disagreements:
        yield element("p", f"The numbers do not add up: {text}.", class_="state bad")
    if report.is_dry:
        yield element("p", "Dry run: nothing was written; the numbers say what would have been.")
    if report.named_unfinished:
        count = report.named_unfinished
        text = f"URLs that were named and not done: {count}; -a retry_failed=last asks for them."
        yield element("p", text, class_="state bad")
    if report.summaries_stopped:
        yield element("p", f"{report.summaries_stopped}.", class_="state bad")


def _changed_pages(run: RecordedRun, report: RunReport, most: int) -> Elements:
    listed = run.activity.listed
    yield from _pages("New pages", listed["new"], report.documents.new, most)
    yield from _pages("Changed pages", listed["changed"], report.documents.changed, most)
    gone = [
        ListedPage(each.url, f"{each.reason}, {words}")
        for site in report.deletions
        for documents, words in ((site.due, "kept" if site.is_braked else "removed"), (site.waiting, "waits"))
        for each in documents
    ]
    yield from _pages("Gone pages", gone, len(gone), most)


def _pages(title: str, pages: Sequence[ListedPage], total: int, most: int) -> Elements:
    if pages:
        yield element("h3", title)
        yield page_list([(each.url, each.note) for each in pages], max(total, len(pages)), most)


def _compared(last: RunReport, report: RunReport) -> Iterator[tuple[str, str, str, str]]:
    for name, value_of in _COMPARED.items():
        before, now = value_of(last), value_of(report)
        if before is None or now is None:
            continue
        difference = number(now - before)
        yield name, number(before), number(now), difference if now < before else f"+{difference}"
