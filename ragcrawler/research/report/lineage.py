"""Questions and pages of a research in one tree: which of them led to which."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.questions import Question
from ragcrawler.research.storage.pages import ReadPage
from ragcrawler.urls.host import host_of

_KINDS = {"goal": "goal", "seed": "first question", "lead": "lead", "cell": "missing value"}


@dataclass(frozen=True, slots=True)
class LineageNode:
    """A question or a page.

    Attributes:
        id: `q1` is the first question, `p1` the first page.
        kind: which of both it is.
        text: the question, or the title of the page; its URL where it has none.
        note: the kind of the question in words; of a page its host, and how many facts it gave.
        url: of the page; "" for a question.
        parent: id of what led to it, "" where nothing did.
        led_by: id of the page that gave the question, "" for none.
        level: nodes above it.
        facts: shown ones that the page gave, in their order.
    """

    id: str
    kind: Literal["question", "page"]
    text: str
    note: str = ""
    url: str = ""
    parent: str = ""
    led_by: str = ""
    level: int = 0
    facts: tuple[Fact, ...] = ()


def counted(number: int, noun: str) -> str:
    """A number of things: `1 page`, `2 pages`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def build_lineage(
    questions: Sequence[Question], pages: Sequence[ReadPage], facts: Iterable[Fact]
) -> list[LineageNode]:
    """Each question and each page behind its parent, depth first.

    A page is below the page that links to it, or below its question. A parent is older than its child, so
    there are no circles.
    """
    page_ids = {page.url: f"p{number}" for number, page in enumerate(pages, start=1)}
    given: dict[str, list[Fact]] = {}
    for fact in facts:
        given.setdefault(fact.quote.url, []).append(fact)
    nodes: dict[str, LineageNode] = {}
    for number, each in enumerate(questions, start=1):
        above = nodes.get(each.parent_id)
        nodes[each.id] = LineageNode(
            f"q{number}",
            "question",
            each.text,
            note=_KINDS[each.kind],
            parent=above.id if above else "",
            led_by=page_ids.get(each.source_url, ""),
            level=above.level + 1 if above else 0,
        )
    for page in pages:
        above = nodes.get(page.parent_url) or nodes.get(page.question_id)
        gave = tuple(given.get(page.url, ()))
        nodes[page.url] = LineageNode(
            page_ids[page.url],
            "page",
            page.title or page.url,
            note=", ".join(filter(None, (host_of(page.url), counted(len(gave), "fact") if gave else ""))),
            url=page.url,
            parent=above.id if above else "",
            level=above.level + 1 if above else 0,
            facts=gave,
        )
    return list(_depth_first(nodes.values()))


def _depth_first(nodes: Iterable[LineageNode]) -> Iterator[LineageNode]:
    children: dict[str, list[LineageNode]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node)
    waiting = children.get("", [])[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += children.get(node.id, [])[::-1]
