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
        if node.id in parents or node.facts or node.led_by in texts:
            below = lists[node.id] = element("ul", *_origin(node, texts), *_facts(node, numbers, names))
            folded = element("details", element("summary", *_line(node, node.text)), below)
            if node.level < _OPEN_LEVELS:
                folded.set("open", "open")
            lists[node.parent].append(element("li", folded, id=node.id))
        else:
            line = _line(node, link(node.url, node.text))
            lists[node.parent].append(element("li", element("span", *line, class_="leaf"), id=node.id))
    if left_out := len(nodes) - len(shown):
        top.append(element("li", element("small", f"and {left_out} more", class_="leaf")))
    return top


def shown_ids(nodes: Sequence[LineageNode]) -> dict[str, str]:
    """The ids of the pages that the view shows, by URL."""
    near = sorted(nodes, key=lambda node: node.level)[:_MOST_NODES]
    return {node.url: node.id for node in near if node.kind == "page"}


def _line(node: LineageNode, page: Child) -> list[Child]:
    """A node in a line; a summary has no link to its page, for it folds where one presses it."""
    if node.kind == "question":
        kind = element("small", node.note, class_="kind")
        return [element("span", node.text, class_="question"), " ", kind]
    return [page, element("small", f" {node.note}")]


def _origin(node: LineageNode, texts: Mapping[str, str]) -> Iterator[etree._Element]:
    """Where a page is, or which page gave a question."""
    if node.kind == "page":
        yield element("li", element("span", link(node.url, node.url), class_="leaf"))
    elif node.led_by in texts:
        page = element("a", texts[node.led_by], href=f"#{node.led_by}")
        yield element("li", element("small", "from the page ", page, class_="leaf"))


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
