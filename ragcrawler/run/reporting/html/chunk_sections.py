"""What became of chunks, how large they are, and where the time went."""

from collections.abc import Iterator, Mapping

from lxml import etree

from ragcrawler.retrieval.formatting.html import element
from ragcrawler.run.reporting.html.lists import number_table, wide_table
from ragcrawler.run.reporting.html.plots import bar_table, histogram_table
from ragcrawler.run.reporting.html.recorded_run import RecordedRun
from ragcrawler.run.reporting.report import RunReport
from ragcrawler.run.reporting.rows.javascript import javascript_rows
from ragcrawler.run.reporting.rows.outcomes import chunk_rows, validation_rows
from ragcrawler.run.reporting.rows.proxies import proxy_rows
from ragcrawler.run.reporting.rows.quality import quality_rows
from ragcrawler.run.reporting.rows.revisits import revisit_rows
from ragcrawler.run.reporting.rows.searches import search_rows
from ragcrawler.run.reporting.rows.summaries import summary_rows
from ragcrawler.run.reporting.time_lines import STAGE_NAMES

Elements = Iterator[etree._Element]

_MOST_ROWS = 200


def chunks(run: RecordedRun, most: int) -> Elements:  # noqa: ARG001 - all sections have one shape
    """What became of the chunks, and their sizes."""
    if run.report is not None:
        rows = {name.strip("*"): count for name, count in chunk_rows(run.report.chunks).items()}
        yield number_table(rows)
    tokens = run.activity.tokens
    if tokens.count:
        yield element("h3", "Sizes")
        text = f"{tokens.count:,} chunks, {tokens.mean:.0f} tokens on average, {tokens.maximum:.0f} at most."
        yield element("p", text, class_="quiet")
        yield histogram_table(("tokens", "chunks"), tokens)


def validation(run: RecordedRun, most: int) -> Elements:  # noqa: ARG001 - all sections have one shape
    """How the chunks came out."""
    if run.report is None:
        yield element("p", "Only a report tells; scrapy validate looks at the feed.")
    else:
        yield number_table(validation_rows(run.report))


def page_sizes(run: RecordedRun, most: int) -> Elements:  # noqa: ARG001 - all sections have one shape
    """Sizes of pages, converters, and what else was counted about them."""
    sizes = run.activity.page_bytes
    if sizes.count:
        text = f"{sizes.mean / 1000:,.0f} kB on average, {sizes.maximum / 1000:,.0f} kB at most, unpacked."
        yield element("p", text, class_="quiet")
        yield histogram_table(("bytes", "pages"), sizes)
    report = run.report
    if report is None:
        return
    if report.converters:
        yield element("h3", "Converted by")
        yield bar_table(("converter", "pages"), dict(sorted(report.converters.items())[:_MOST_ROWS]))
    for title, rows in _other_rows(report):
        if rows:
            yield element("h3", title)
            yield number_table(dict(list(rows.items())[:_MOST_ROWS]))


def time_spent(run: RecordedRun, most: int) -> Elements:
    """Where the time went, by stage, and who worked."""
    report = run.report
    if report is None or not report.times:
        yield element("p", "Only a report tells.")
        return
    names = {stage: words for stage, (words, _) in STAGE_NAMES.items() if stage in report.times}
    seconds = {words: report.times[stage].wall_seconds for stage, words in names.items()}
    yield bar_table(("stage", "seconds"), seconds, digits=1)
    text = "Seconds by the clock, added up over what went on at once: they may exceed the crawl's own."
    yield element("p", text, class_="quiet")
    if report.chunks_per_second is not None:
        text = f"The models embed {report.chunks_per_second:.1f} chunks a second on this machine."
        yield element("p", text)
    if report.workers:
        rows = [
            (each.run, each.machine, each.end, f"{each.elapsed_seconds:,.1f}")
            for each in report.workers[:most]
        ]
        yield element("h3", "Workers")
        yield wide_table("Workers", ("run", "machine", "end", "seconds"), rows)


def _other_rows(report: RunReport) -> Iterator[tuple[str, Mapping[str, object]]]:
    yield "Main content, by how likely it was found", quality_rows(report.stats)
    yield "Pages that need JavaScript", javascript_rows(report.stats)
    yield "Search engines", search_rows(report.stats)
    yield "Proxies", proxy_rows(report.stats)
    yield "Revisits", revisit_rows(report.stats, report.documents)
    yield "Summaries", summary_rows(report.stats)
