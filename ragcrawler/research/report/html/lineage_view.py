"""The lineage of a research as lists to unfold, which need no script: questions, their pages, and facts."""

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.lineage import LineageNode, counted
from ragcrawler.retrieval.formatting.html import Child, element, link

# So that a browser unfolds it without delay; a file with 10,000 facts of 2,500 pages has about 8 MB.
_MOST_NODES = 2_000
_MOST_FACTS = 12  # of a page
_OPEN_LEVELS = 1


def lineage_view(
    nodes: Sequence[LineageNode], numbers: Mapping[str, int], names: Mapping[tuple[str, ...], str]
) -> etree._Element:
    """A list of the nodes, each with those below it.

    Args:
        nodes: depth first; of more than fit those are shown that are next to the goal.
        numbers: of the quotes of facts, by the id of the fact.
        names: of the rows, by their keys.
    """
    near = sorted(nodes, key=lambda node: node.level)[:_MOST_NODES]
    ids = {node.id for node in near}
    shown = [node for node in nodes if node.id in ids]
    parents = {node.parent for node in shown}
    texts = {node.id: node.text for node in shown}
    top = element("ul", class_="lineage")
    lists = {"": top}
    for node in shown:
        line = [*_line(node), *_origin(node, texts)]
        if node.id in parents or node.facts:
            below = lists[node.id] = element("ul", *_facts(node, numbers, names))
            folded = element("details", element("summary", *line), below)
            if node.level < _OPEN_LEVELS:
                folded.set("open", "open")
            lists[node.parent].append(element("li", folded, id=node.id))
        else:
            lists[node.parent].append(element("li", element("span", *line, class_="leaf"), id=node.id))
    if left_out := len(nodes) - len(shown):
        top.append(element("li", element("small", f"and {left_out} more", class_="leaf")))
    return top


def shown_ids(nodes: Sequence[LineageNode]) -> dict[str, str]:
    """The ids of the pages that the view shows, by URL."""
    near = sorted(nodes, key=lambda node: node.level)[:_MOST_NODES]
    return {node.url: node.id for node in near if node.kind == "page"}


def _line(node: LineageNode) -> list[Child]:
    if node.kind == "question":
        kind = element("small", node.note, class_="kind")
        return [element("span", node.text, class_="question"), " ", kind]
    return [link(node.url, node.text), element("small", f" {node.note}")]


def _facts(
    node: LineageNode, numbers: Mapping[str, int], names: Mapping[tuple[str, ...], str]
) -> Iterator[etree._Element]:
    for fact in node.facts[:_MOST_FACTS]:
        yield element("li", element("span", *_fact(fact, numbers[fact.id], names[fact.row]), class_="leaf"))
    if len(node.facts) > _MOST_FACTS:
        more = counted(len(node.facts) - _MOST_FACTS, "more fact")
        yield element("li", element("small", f"and {more}", class_="leaf"))


def _fact(fact: Fact, number: int, name: str) -> list[Child]:
    about = element("small", f"{name}: {fact.path} ")
    quote = element("a", str(number), href=f"#quote-{number}", aria_label=f"Quote {number}")
    return [about, str(fact.value), element("sup", quote)]


def _origin(node: LineageNode, texts: Mapping[str, str]) -> list[Child]:
    """The page that gave a question."""
    if node.led_by not in texts:
        return []
    origin = element("a", texts[node.led_by], href=f"#{node.led_by}")
    return [element("small", " from the page ", origin)]
