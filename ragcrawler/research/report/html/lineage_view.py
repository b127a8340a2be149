"""The lineage of a research as lists to unfold, which need no script."""

from collections.abc import Sequence

from lxml import etree

from ragcrawler.research.report.html.elements import element, link
from ragcrawler.research.report.lineage import LineageNode
from ragcrawler.urls.host import host_of

_OPEN_LEVELS = 1


def lineage_view(nodes: Sequence[LineageNode]) -> etree._Element:
    """A list of the nodes, each with those below it.

    Args:
        nodes: depth first.
    """
    top = element("ul", class_="lineage")
    parents = {node.parent for node in nodes}
    lists = {"": top}
    texts = {node.id: node.text for node in nodes}
    for node in nodes:
        line = [*_line(node), *_origin(node, texts)]
        if node.id in parents:
            below = lists[node.id] = element("ul")
            folded = element("details", element("summary", *line), below)
            if node.level < _OPEN_LEVELS:
                folded.set("open", "open")
            lists[node.parent].append(element("li", folded, id=node.id))
        else:
            lists[node.parent].append(element("li", element("span", *line, class_="leaf"), id=node.id))
    return top


def _line(node: LineageNode) -> list[etree._Element]:
    if node.kind == "question":
        return [element("span", node.text, class_="question"), element("small", f" {node.note}")]
    said = ", ".join(filter(None, (host_of(node.url), node.counted)))
    return [link(node.url, node.text), element("small", f" {said}")]


def _origin(node: LineageNode, texts: dict[str, str]) -> list[etree._Element]:
    """The page that gave a question."""
    if not node.led_by:
        return []
    origin = element("a", texts[node.led_by], href=f"#{node.led_by}")
    return [element("small", ", from the page ", origin)]
