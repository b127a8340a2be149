"""Typesets a report. Typst is handed all text as data: a page's words are never read as its markup."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragcrawler.research.errors import ResearchError
from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.quote_text import link_to, shown_quote
from ragcrawler.research.report.report import NO_EVIDENCE, Report
from ragcrawler.research.table import TableCell, TableRow
from ragcrawler.retrieval.formatting.html import WEB
from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.urls.host import host_of

_TEMPLATE = Path(__file__).with_name("report.typ")
_WITHOUT_TIME = datetime(1980, 1, 1, tzinfo=UTC)


class PdfError(ResearchError):
    """A report cannot be typeset."""


def pdf_report(report: Report) -> bytes:
    """The file.

    Raises:
        PdfError: Typst is not installed, or does not typeset it.
    """
    try:
        import typst
    except ImportError as error:
        raise PdfError("a PDF needs Typst: pip install 'ragcrawler[research-pdf]'") from error
    content = json.dumps(_content(report), ensure_ascii=False)
    moment = report.record.ended_at or _WITHOUT_TIME
    compiler = typst.Compiler(_TEMPLATE.read_bytes(), sys_inputs={"report": content})
    try:
        typeset = compiler.compile(format="pdf", timestamp=int(moment.timestamp()))
    except typst.TypstError as error:
        raise PdfError(f"Typst does not typeset the report: {error}") from error
    if not isinstance(typeset, bytes):
        raise PdfError("Typst gave no file")
    return typeset


def _content(report: Report) -> dict[str, Any]:
    """All that the template shows, as JSON values."""
    numbers, facts = report.citations, report.facts
    leaves = [leaf.path for leaf in report.record.template.leaves]
    nodes = report.lineage
    return {
        "goal": _line(report.record.goal),
        "empty": "" if report.rows else NO_EVIDENCE,
        "sentences": [
            {"text": _line(each.text), "numbers": [numbers[fact.id] for fact in each.facts]}
            for each in report.narrative.sentences
        ],
        "fields": leaves,
        "rows": [[_cell(row, path, numbers) for path in leaves] for row in report.rows],
        "quotes": [_quote(facts[fact_id], number) for fact_id, number in numbers.items()],
        "lineage": [{"level": each.level, "text": _line(each.text), "note": each.note} for each in nodes],
        "counts": [[name, str(count)] for name, count in report.summary.items()],
    }


def _cell(row: TableRow, path: str, numbers: dict[str, int]) -> dict[str, Any]:
    cell = row.cells.get(path)
    values = list(_values(cell, numbers)) if cell else []
    return {"state": cell.state if cell else "", "values": values}


def _values(cell: TableCell, numbers: dict[str, int]) -> Iterator[dict[str, Any]]:
    for value in cell.values:
        cited = [numbers[fact.id] for fact in value.facts]
        yield {"text": _line(str(value.value)), "numbers": cited, "hosts": ", ".join(value.hosts)}


def _quote(fact: Fact, number: int) -> dict[str, Any]:
    url = link_to(fact.quote)
    return {
        "number": number,
        "text": _line(shown_quote(fact.quote)),
        "url": url if url.startswith(WEB) else "",
        "host": host_of(fact.quote.url) or fact.quote.url,
        "is_suspicious": fact.is_suspicious,
    }


def _line(text: str) -> str:
    return " ".join(printable(text).split())
