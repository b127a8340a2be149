"""The report for people."""

from collections.abc import Iterable, Mapping

from ragcrawler.run.report import PREFIX, ChunkCounts, RunReport
from ragcrawler.urls.ledger import LedgerCounts


def report_markdown(report: RunReport) -> str:
    """The report as a Markdown document."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: RunReport) -> Iterable[str]:
    rate = report.pages.fetched / report.elapsed_seconds if report.elapsed_seconds else 0.0
    yield f"# Crawl with {report.spider}, {report.started}"
    yield ""
    yield f"Ended: {report.refusal or report.end}, after {report.elapsed_seconds:.1f} s ({rate:.2f} pages/s)."
    yield ""
    yield "## Pages"
    yield ""
    yield from _table("what became of the URLs seen", _page_rows(report.pages))
    yield "## Chunks"
    yield ""
    yield from _table("what became of the chunks made", _chunk_rows(report.chunks))
    yield from _table("how the chunks came out", _validation_rows(report))
    yield "## Collection"
    yield ""
    total = "unknown" if report.collection_points is None else str(report.collection_points)
    models = f"{report.models.dense} and {report.models.sparse}" if report.models else "no models"
    yield f"{report.collection}: {total} points; {models}."
    yield ""
    if report.converters:
        yield from _table("converted by", dict(sorted(report.converters.items())))
    if report.disagreements:
        yield "## The numbers do not add up"
        yield ""
        yield from (f"- {line}" for line in report.disagreements)


def _page_rows(pages: LedgerCounts) -> Mapping[str, int]:
    return {
        "fetched": pages.fetched,
        **{f"skipped: {reason}": count for reason, count in sorted(pages.skipped.items())},
        **{f"failed: {reason}": count for reason, count in sorted(pages.failed.items())},
        "**seen**": pages.seen,
    }


def _chunk_rows(chunks: ChunkCounts) -> Mapping[str, int]:
    return {
        "stored": chunks.points,
        "lost": chunks.lost,
        "**made**": chunks.made,
        "of the stored: unchanged since the last crawl": chunks.unchanged,
        "removed: no longer on their page": chunks.removed,
    }


def _validation_rows(report: RunReport) -> Mapping[str, int]:
    def count(name: str) -> int:
        return int(report.stats.get(f"{PREFIX}chunk/{name}", 0))

    levels = {f"H{level}": count(f"headings/h{level}") for level in range(1, 7)}
    return {
        "tokens in all": report.chunks.tokens,
        "tokens of a chunk, on average": report.chunks.tokens // max(report.chunks.made, 1),
        "tokens of the smallest": count("tokens_min"),
        "tokens of the biggest": count("tokens_max"),
        "chunks with code": count("with_code"),
        "chunks over the limit": count("over_limit"),
        "chunks under the minimum": count("under_minimum"),
        **{f"headings {level}": number for level, number in levels.items() if number},
        "H1 and H2 lost": count("lost_headings"),
        "letters and digits of the documents": count("characters"),
        "of these in no chunk": count("uncovered_characters"),
    }


def _table(title: str, rows: Mapping[str, int]) -> Iterable[str]:
    yield f"| {title} | count |"
    yield "|---|---:|"
    yield from (f"| {name} | {count} |" for name, count in rows.items())
    yield ""
