"""The report of a run as Markdown."""

from collections.abc import Iterable, Mapping

from ragcrawler.frontier import UrlCounts
from ragcrawler.run.reporting.report import PREFIX, RunReport
from ragcrawler.run.reporting.rows.javascript import javascript_rows
from ragcrawler.run.reporting.rows.outcomes import (
    by_purpose,
    chunk_rows,
    document_rows,
    page_rows,
    validation_rows,
)
from ragcrawler.run.reporting.rows.proxies import proxy_rows
from ragcrawler.run.reporting.rows.quality import quality_rows
from ragcrawler.run.reporting.rows.revisits import revisit_rows
from ragcrawler.run.reporting.rows.searches import search_rows
from ragcrawler.run.reporting.rows.summaries import summary_rows
from ragcrawler.run.reporting.time_lines import time_lines
from ragcrawler.run.reporting.worker_result import Worker


def report_markdown(report: RunReport) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: RunReport) -> Iterable[str]:
    yield from _head(report)
    yield from _search_lines(report)
    yield from _section("Pages", _table("what became of the URLs seen", page_rows(report.pages)))
    yield from _named_lines(report)
    yield from _where_to_look(report.pages)
    yield from _foreign_lines(report)
    yield from _tables_of_stats(report)
    yield from _section("Chunks", _table("what became of the chunks made", chunk_rows(report.chunks)))
    yield from _table("how the chunks came out", validation_rows(report))
    yield from _summary_lines(report)
    if rows := revisit_rows(report.stats, report.documents):
        yield from _section("Revisits", _table("what was asked for", rows))
    documents = document_rows(report.documents)
    yield from _section("Documents", _table("what became of documents in the collection", documents))
    yield from _gone_lines(report)
    if report.times:
        yield from _section("Time", time_lines(report.times, report.chunks_per_second))
    if report.workers:
        yield from _section("Workers", _worker_lines(report.workers))
    yield from _section("Collection", _collection_lines(report))
    if report.disagreements:
        yield from _section("The numbers do not add up", (f"- {line}" for line in report.disagreements))


def _worker_lines(workers: Iterable[Worker]) -> Iterable[str]:
    yield "The numbers above are those of all of them."
    yield ""
    for each in workers:
        place = f" on {each.machine}" if each.machine else ""
        yield f"- {each.run}{place}: {each.end}, after {each.elapsed_seconds:.1f} s"
    yield ""


def _tables_of_stats(report: RunReport) -> Iterable[str]:
    for title, words, rows in (
        ("Main content", "HTML pages by how likely it was found", quality_rows(report.stats)),
        ("JavaScript", "what became of the pages that need it", javascript_rows(report.stats)),
        ("Proxies", "what they brought", proxy_rows(report.stats)),
    ):
        if rows:
            yield from _section(title, _table(words, rows))


def _search_lines(report: RunReport) -> Iterable[str]:
    if rows := search_rows(report.stats):
        yield from _section("Search", _table("queries by engine and state, and what they found", rows))


def _summary_lines(report: RunReport) -> Iterable[str]:
    if rows := summary_rows(report.stats):
        yield from _section("Summaries", _table("what became of them", rows))
    if report.summaries_stopped:
        yield f"{report.summaries_stopped}."
        yield ""


def _section(title: str, lines: Iterable[str]) -> Iterable[str]:
    yield f"## {title}"
    yield ""
    yield from lines


def _head(report: RunReport) -> Iterable[str]:
    rate = report.pages.fetched / report.elapsed_seconds if report.elapsed_seconds else 0.0
    yield f"# Crawl with {report.spider}, {report.started}"
    yield ""
    if report.is_dry:
        yield "Dry run: nothing was written; the numbers say what would have been."
        yield ""
    yield f"Ended: {report.refusal or report.end}, after {report.elapsed_seconds:.1f} s ({rate:.2f} pages/s)."
    yield ""


def _collection_lines(report: RunReport) -> Iterable[str]:
    total = "unknown" if report.collection_points is None else str(report.collection_points)
    models = f"{report.models.dense} and {report.models.sparse}" if report.models else "no models"
    yield f"{report.collection}: {total} points; {models}."
    yield ""
    if report.converters:
        yield from _table("converted by", dict(sorted(report.converters.items())))


def _named_lines(report: RunReport) -> Iterable[str]:
    if report.named_unfinished:
        yield (
            f"URLs that were named and not done when the crawl ended: {report.named_unfinished}. "
            "They stand in `failures.jsonl` as `not_finished`; `-a retry_failed=last` asks for them."
        )
        yield ""


def _where_to_look(pages: UrlCounts) -> Iterable[str]:
    if pages.failed:
        yield (
            "Failed pages stand in `failures.jsonl`, each with what happened; "
            "a crawl with `-a retry_failed=last` tries them again."
        )
    skipped, unreached = by_purpose(pages)
    if unreached:
        yield (
            f"The crawl ended before it came to {sum(unreached.values())} of the URLs: "
            "start the same crawl again, and it goes on."
        )
    if skipped:
        yield (
            "Skipped URLs were left out on purpose: `docs/crawling.md` explains the words, "
            "and a crawl with `-s TRACE_URLS=1` writes each URL with its reason to `urls.jsonl`."
        )
    if pages.failed or pages.skipped:
        yield ""


def _foreign_lines(report: RunReport) -> Iterable[str]:
    """Items that are no pages of ours: whoever yields them should learn that they were seen."""
    items, unusable = (int(report.stats.get(f"{PREFIX}foreign/{name}", 0)) for name in ("items", "unusable"))
    if items or unusable:
        yield f"Items of other kinds, passed on untouched and not indexed: {items + unusable}."
        if unusable:
            yield f"Of these with a text, but without an address of the web as `url`: {unusable}."
        yield ""


def _gone_lines(report: RunReport) -> Iterable[str]:
    """Every document that is gone, so that somebody can look before the brake is released."""
    for site in report.deletions:
        kept = "kept by the brake" if site.is_braked else "would be removed" if report.is_dry else "removed"
        for document in site.due:
            yield f"- {kept}: {document.url} ({document.reason}, {document.runs} runs)"
        for document in site.waiting:
            yield f"- gone, to be confirmed: {document.url} ({document.reason})"
    if report.deletions:
        yield ""


def _table(title: str, rows: Mapping[str, int] | Mapping[str, str]) -> Iterable[str]:
    yield f"| {title} | count |"
    yield "|---|---:|"
    yield from (f"| {name} | {count} |" for name, count in rows.items())
    yield ""
