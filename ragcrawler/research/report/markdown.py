"""A report as Markdown."""

import re
from collections.abc import Iterator

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.quote_text import link_to, shown_quote
from ragcrawler.research.report.report import NO_EVIDENCE, Report
from ragcrawler.research.table import TableCell, TableRow
from ragcrawler.retrieval.formatting.html import WEB
from ragcrawler.retrieval.formatting.printable import printable

# With one of these a line begins a list, or makes the line above a heading.
_LIST_MARK = re.compile(r"^(\d*)([-+=.)])")


def markdown_report(report: Report) -> str:
    """Text, table, quotes and what was counted."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from (f"# {_inline(report.record.goal)}", "")
    if not report.rows:
        yield from (NO_EVIDENCE, "")
    else:
        numbers = report.citations
        yield from _text(report, numbers)
        yield from _table(report, numbers)
        yield from _quotes(report, numbers)
    yield from _summary(report)


def _text(report: Report, numbers: dict[str, int]) -> Iterator[str]:
    for sentence in report.narrative.sentences:
        marks = "".join(f"[{numbers[fact.id]}](#quote-{numbers[fact.id]})" for fact in sentence.facts)
        yield from (f"{_inline(sentence.text)} {marks}", "")


def _table(report: Report, numbers: dict[str, int]) -> Iterator[str]:
    leaves = report.record.template.leaves
    yield from ("## Table", "")
    yield "| " + " | ".join(leaf.path for leaf in leaves) + " |"
    yield "|" + "---|" * len(leaves)
    for row in report.rows:
        yield "| " + " | ".join(_cell(row, leaf.path, numbers) for leaf in leaves) + " |"
    yield ""


def _cell(row: TableRow, path: str, numbers: dict[str, int]) -> str:
    cell = row.cells.get(path)
    if cell is None:
        return ""
    shown = "; ".join(_value(cell, index, numbers) for index in range(len(cell.values)))
    return f"{shown} ({cell.state})" if cell.state != "single" else shown


def _value(cell: TableCell, index: int, numbers: dict[str, int]) -> str:
    value = cell.values[index]
    marks = "".join(f"[{numbers[fact.id]}](#quote-{numbers[fact.id]})" for fact in value.facts)
    hosts = f" *{', '.join(value.hosts)}*" if cell.state == "contradicted" else ""
    return f"{_inline(str(value.value))}{hosts} {marks}"


def _quotes(report: Report, numbers: dict[str, int]) -> Iterator[str]:
    facts = report.facts
    yield from ("## Quotes", "")
    for fact_id, number in numbers.items():
        yield from (_quote(number, facts[fact_id]), "")


def _quote(number: int, fact: Fact) -> str:
    warning = " (this page holds words that read like instructions)" if fact.is_suspicious else ""
    text = _inline(shown_quote(fact.quote))
    url = link_to(fact.quote)
    source = f"<{url}>" if url.startswith(WEB) else _inline(fact.quote.url)
    return f'<a id="quote-{number}"></a>{number}. "{text}" {source}{warning}'


def _summary(report: Report) -> Iterator[str]:
    yield from ("## How it was found", "")
    yield from (f"- {name}: {count}" for name, count in report.summary.items())


def _inline(text: str) -> str:
    """Text of strangers on one line of Markdown, with nothing in it that means anything there."""
    line = " ".join(printable(text).split()).replace("&", "&amp;")
    for mark in "\\`*_[]<>|#":
        line = line.replace(mark, f"\\{mark}")
    return _LIST_MARK.sub(r"\1\\\2", line)
