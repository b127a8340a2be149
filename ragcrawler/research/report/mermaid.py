"""The lineage of a research as a graph in the language of Mermaid."""

import re
from collections.abc import Iterator

from ragcrawler.research.report.lineage import LineageNode
from ragcrawler.research.report.report import NO_EVIDENCE, Report
from ragcrawler.retrieval.formatting.printable import printable

# Mermaid draws at most 500 edges and 50,000 characters, unless a page asks for more.
_MOST_NODES = 200
_LABEL_CHARACTERS = 60
_ESCAPED_CHARACTERS = 120
_CUT = "\u2026"
# What means anything in a label, in a directive or in Markdown; a point may follow the number of a list.
_MARKS = re.compile(r"[^\w ,?!'():/.]|(?<=\d)[.)](?=\s)")


def mermaid_graph(report: Report) -> str:
    """Questions as boxes and pages as round ones; a dotted line leads from a page to the question it gave."""
    nodes = report.lineage
    shown = sorted(nodes, key=_rank)[:_MOST_NODES]
    ids = {node.id for node in shown}
    lines = ["flowchart LR"]
    for node in nodes:
        if node.id in ids:
            lines += _statements(node, ids)
    if len(nodes) > len(shown):
        lines.append(f'    more["{len(nodes) - len(shown)} more are in the other formats of the report"]')
    if not report.rows:
        lines.append(f'    none["{NO_EVIDENCE}"]')
    return "\n".join(lines) + "\n"


def _rank(node: LineageNode) -> tuple[int, int]:
    """Those next to the goal first, so that no question is shown without its parent; then the oldest."""
    return node.level, int(node.id[1:])


def _statements(node: LineageNode, ids: set[str]) -> Iterator[str]:
    if node.kind == "question":
        yield f'    {node.id}["{_label(node.text)}"]'
    else:
        yield f'    {node.id}(["{_label(node.text)}<br>{_label(node.note)}"])'
    if node.parent:
        yield f"    {node.parent} --> {node.id}"
    if node.led_by in ids:
        yield f"    {node.led_by} -.-> {node.id}"


def _label(text: str) -> str:
    """Text of strangers on one line, with nothing in it that means anything to Mermaid."""
    line = " ".join(printable(text).split())
    shown = _MARKS.sub(lambda mark: f"#{ord(mark.group())};", line[:_LABEL_CHARACTERS])
    if len(shown) > _ESCAPED_CHARACTERS:
        return re.sub(r"#\d*$", "", shown[:_ESCAPED_CHARACTERS]) + _CUT
    return shown + _CUT * (len(line) > _LABEL_CHARACTERS)
