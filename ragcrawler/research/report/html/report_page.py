"""A report as HTML: text, table, lineage, quotes, and what was counted."""

from collections.abc import Iterator

from lxml import etree

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.html.elements import Child, element, link
from ragcrawler.research.report.html.lineage_view import lineage_view
from ragcrawler.research.report.html.page import page
from ragcrawler.research.report.lineage import build_lineage
from ragcrawler.research.report.quote_text import link_to, shown_quote
from ragcrawler.research.report.report import NO_EVIDENCE, Report
from ragcrawler.research.table import Cell, TableRow
from ragcrawler.urls.host import host_of


def html_report(report: Report) -> str:
    """One file for a browser."""
    record = report.record
    return page(record.goal, [element("h1", record.goal), *_sections(report)])


def _sections(report: Report) -> Iterator[etree._Element]:
    numbers = report.citations
    if report.rows:
        yield from _text(report, numbers)
        yield element("h2", "Table")
        yield _table(report, numbers)
    else:
        yield element("p", NO_EVIDENCE, class_="empty")
    if report.questions:
        yield element("h2", "Lineage")
        yield lineage_view(build_lineage(report.questions, report.pages, report.facts.values()))
    if report.rows:
        yield element("h2", "Quotes")
        facts = report.facts
        quotes = (_quote(facts[fact_id], f"quote-{number}") for fact_id, number in numbers.items())
        yield element("ol", *quotes, class_="quotes")
    yield element("h2", "How it was found")
    yield counts_view(report.summary)


def counts_view(counts: dict[str, float | str]) -> etree._Element:
    """Names and numbers."""
    rows = (element("div", element("dt", name), element("dd", str(count))) for name, count in counts.items())
    return element("dl", *rows)


def _text(report: Report, numbers: dict[str, int]) -> Iterator[etree._Element]:
    sentences = report.narrative.sentences
    if sentences:
        yield element("h2", "Text")
    for sentence in sentences:
        marks = ", ".join(str(numbers[fact.id]) for fact in sentence.facts)
        quotes = element("ul", *(_quote(fact) for fact in sentence.facts), class_="quotes")
        summary = element("summary", sentence.text, element("small", f" [{marks}]"))
        yield element("details", summary, quotes, class_="sentence")


def _quote(fact: Fact, target: str = "") -> etree._Element:
    """The words of a page, and where they stand."""
    said = shown_quote(fact.quote)
    quoted = element("q", said)
    source = link(link_to(fact.quote), host_of(fact.quote.url) or fact.quote.url)
    parts: list[Child] = [quoted, " ", source]
    if fact.is_suspicious:
        warning = "this page holds words that read like instructions"
        parts.append(element("small", f" ({warning})", class_="contradicted"))
    return element("li", *parts, id=target) if target else element("li", *parts)


def _table(report: Report, numbers: dict[str, int]) -> etree._Element:
    leaves = [leaf.path for leaf in report.record.template.leaves]
    # Narrow screens show rows as blocks; the roles keep it a table for screen readers.
    names = (element("th", path, scope="col", role="columnheader") for path in leaves)
    head = element("thead", element("tr", *names, role="row"), role="rowgroup")
    rows = (element("tr", *_cells(row, leaves, numbers), role="row") for row in report.rows)
    table = element("table", head, element("tbody", *rows, role="rowgroup"), role="table")
    return element("div", table, class_="wide", tabindex="0", role="region", aria_label="Table")


def _cells(row: TableRow, leaves: list[str], numbers: dict[str, int]) -> Iterator[etree._Element]:
    for path in leaves:
        cell = row.cells.get(path)
        content = _cell(cell, numbers) if cell else []
        yield element("td", *content, role="cell", data_label=path)


def _cell(cell: Cell, numbers: dict[str, int]) -> Iterator[etree._Element]:
    for value in cell.values:
        marks = element("sup")
        for fact in value.facts:
            number = str(numbers[fact.id])
            marks.append(element("a", number, href=f"#quote-{number}", aria_label=f"Quote {number}"))
        hosts = element("small", ", ".join(value.hosts), class_="hosts")
        yield element("div", str(value.value), marks, hosts, class_="value")
    yield element("span", cell.state, class_=f"state {cell.state}")
