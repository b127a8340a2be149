"""Questions of a research, with their lineage."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from ragcrawler.research.evidence.plain_text import words

QuestionKind = Literal["goal", "seed", "lead", "cell"]


@dataclass(frozen=True, slots=True)
class Question:
    """What a research wants to know.

    Attributes:
        id: of the question; equal words make the same question.
        text: one sentence.
        kind: the goal; a seed question made from goal and template; a lead that a page gave; a missing cell.
        parent_id: of the question from which it came, "" for the goal.
        depth: questions above it.
        source_url: the page that led to it, "" where none did.
    """

    id: str
    text: str
    kind: QuestionKind
    parent_id: str = ""
    depth: int = 0
    source_url: str = ""

    def child(self, text: str, kind: QuestionKind, source_url: str = "") -> "Question":
        """A question that this one leads to."""
        return Question(question_id(text), text, kind, self.id, self.depth + 1, source_url)


def goal_question(goal: str) -> Question:
    """The first question: the goal itself."""
    return Question(question_id(goal), goal, "goal")


def question_id(text: str) -> str:
    """A short hash of its words, without case and marks."""
    return "q" + hashlib.sha256(" ".join(words(text)).encode()).hexdigest()[:12]
