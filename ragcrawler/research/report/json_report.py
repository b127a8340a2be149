"""A report as JSON, for programs."""

import json
from typing import Any

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.quote_text import link_to
from ragcrawler.research.report.report import NO_EVIDENCE, Report
from ragcrawler.research.table import CellValue


def json_report(report: Report) -> str:
    """Rows, sentences, facts by id, questions, and what was counted."""
    record = report.record
    return json.dumps(
        {
            "id": record.id,
            "goal": record.goal,
            "template": record.template.to_record(),
            "ended": record.end_reason,
            "message": "" if report.rows else NO_EVIDENCE,
            "rows": [
                {
                    path: {"state": cell.state, "values": [_value(value) for value in cell.values]}
                    for path, cell in row.cells.items()
                }
                for row in report.rows
            ],
            "sentences": [
                {"text": sentence.text, "facts": [fact.id for fact in sentence.facts]}
                for sentence in report.narrative.sentences
            ],
            "facts": {number: _fact(fact) for number, fact in report.facts.items()},
            "questions": [
                {"id": each.id, "text": each.text, "kind": each.kind, "parent": each.parent_id}
                for each in report.questions
            ],
            "pages": len(report.pages),
            "unverified": report.unverified,
            "struck": len(report.narrative.struck),
            "errors": list(report.narrative.errors),
            "counts": dict(report.counts),
        },
        ensure_ascii=False,
        indent=1,
    )


def _value(value: CellValue) -> dict[str, Any]:
    return {"value": value.value, "hosts": list(value.hosts), "facts": [fact.id for fact in value.facts]}


def _fact(fact: Fact) -> dict[str, Any]:
    quote = fact.quote
    return {
        "field": fact.path,
        "value": fact.value,
        "state": fact.state,
        "quote": quote.text,
        "url": quote.url,
        "link": link_to(quote),
        "page_hash": quote.page_hash,
        "start": quote.start,
        "end": quote.end,
        "is_suspicious": fact.is_suspicious,
    }
