"""The questions of a research as a tree."""

from collections.abc import Iterable, Iterator

from ragcrawler.research.questions import Question
from ragcrawler.retrieval.formatting.printable import printable

_INDENT = "  "


def question_tree(questions: Iterable[Question]) -> Iterator[str]:
    """A line a question, below the one that led to it."""
    children: dict[str, list[Question]] = {}
    for question in questions:
        children.setdefault(question.parent_id, []).append(question)
    waiting = [(question, 0) for question in reversed(children.get("", []))]
    while waiting:
        question, level = waiting.pop()
        yield f"{_INDENT * level}- {printable(question.text)} ({question.kind})"
        waiting += [(child, level + 1) for child in reversed(children.get(question.id, []))]
