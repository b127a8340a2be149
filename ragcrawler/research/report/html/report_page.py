"""A report as HTML: text, table, lineage, quotes, and what was counted."""

from collections.abc import Iterator

from lxml import etree

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.html.lineage_view import lineage_view, shown_ids
from ragcrawler.research.report.html.research_page import research_page
from ragcrawler.research.report.quote_text import link_to, shown_quote
from ragcrawler.research.report.report import NO_EVIDENCE, Report
from ragcrawler.research.table import TableCell, TableRow
from ragcrawler.retrieval.formatting.html import Child, add, element, link
from ragcrawler.urls.host import host_of


def html_report(report: Report) -> str:
    """One file for a browser."""
    record = report.record
    return research_page(record.goal, [element("h1", record.goal), *_sections(report)])


def _sections(report: Report) -> Iterator[etree._Element]:
    numbers, template = report.citations, report.record.template
    if report.rows:
        yield from _text(report, numbers)
        yield element("h2", "Table")
        yield _table(report, numbers)
    else:
        yield element("p", NO_EVIDENCE, class_="empty")
    if report.questions:
        yield element("h2", "Lineage")
        names = {row.key: row.name(template) for row in report.rows}
        yield lineage_view(report.lineage, numbers, names)
    if report.rows:
        yield element("h2", "Quotes")
        yield _quotes(report, numbers)
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
        quotes = element("ul", *(_quote(fact, report.titles) for fact in sentence.facts), class_="quotes")
        summary = element("summary", sentence.text, element("small", f" [{marks}]"))
        yield element("details", summary, quotes, class_="sentence")


def _quotes(report: Report, numbers: dict[str, int]) -> etree._Element:
    """All quotes by their numbers, each with the way back to the table and to its page's place."""
    facts, places, titles = report.facts, shown_ids(report.lineage), report.titles
    listed = element("ol", class_="quotes")
    for fact_id, number in numbers.items():
        fact = facts[fact_id]
        item = _quote(fact, titles)
        item.set("id", f"quote-{number}")
        back: list[Child] = [element("a", "table", href=f"#value-{number}")]
        if place := places.get(fact.quote.url):
            back += [", ", element("a", "lineage", href=f"#{place}")]
        add(item, element("small", " back to: ", *back, class_="back"))
        listed.append(item)
    return listed


def _quote(fact: Fact, titles: dict[str, str]) -> etree._Element:
    """The words of a page, and where they stand."""
    url = fact.quote.url
    source = link(link_to(fact.quote), titles.get(url) or url)
    item = element("li", element("q", shown_quote(fact.quote)), " ", source)
    add(item, element("small", f" {host_of(url)}"))
    if fact.is_suspicious:
        warning = "this page holds words that read like instructions"
        add(item, element("small", f" ({warning})", class_="contradicted"))
    return item


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


def _cell(cell: TableCell, numbers: dict[str, int]) -> Iterator[etree._Element]:
    for value in cell.values:
        marks = element("sup")
        for fact in value.facts:
            number = str(numbers[fact.id])
            about = {"id": f"value-{number}", "href": f"#quote-{number}", "aria_label": f"Quote {number}"}
            marks.append(element("a", number, **about))
        hosts = element("small", ", ".join(value.hosts), class_="hosts")
        yield element("div", str(value.value), marks, hosts, class_="value")
    yield element("span", cell.state, class_=f"state {cell.state}")
