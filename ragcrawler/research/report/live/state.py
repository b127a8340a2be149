"""How far a research is."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.questions import Question
from ragcrawler.research.storage.database import ResearchRecord
from ragcrawler.research.storage.pages import ReadPage


@dataclass(frozen=True, slots=True)
class QuestionState:
    """A question, and what it has brought.

    Attributes:
        question: itself.
        level: questions above it.
        pages: that were read for it.
        facts: shown ones of these pages.
    """

    question: Question
    level: int
    pages: int
    facts: int


@dataclass(frozen=True, slots=True)
class LiveState:
    """A research at one moment.

    Attributes:
        record: of the research.
        questions: in the order in which they were asked.
        pages: in the order in which they were read.
        facts: unverified ones among them, in the order in which they were found.
        waiting: tasks in the queue.
        under_way: URLs that are fetched or read now.
        spend: calls, tokens and dollars, by name.
        end_reason: "" while it goes on.
    """

    record: ResearchRecord
    questions: tuple[Question, ...] = ()
    pages: tuple[ReadPage, ...] = ()
    facts: tuple[Fact, ...] = ()
    waiting: int = 0
    under_way: tuple[str, ...] = ()
    spend: Mapping[str, float] = field(default_factory=dict)
    end_reason: str = ""

    @property
    def found(self) -> dict[str, float]:
        """What there is of questions, pages and facts, by name, in the order in which it is shown."""
        shown = sum(fact.is_shown for fact in self.facts)
        return {
            "questions": len(self.questions),
            "pages read": len(self.pages),
            "queued": self.waiting,
            "under way": len(self.under_way),
            "facts": shown,
            "unverified": len(self.facts) - shown,
        }

    def tree(self, most: int = 0) -> list[QuestionState]:
        """The questions, each behind its parent, depth first.

        Args:
            most: so many at the most: those for which pages were read last, and what led to them; 0 for all.
        """
        pages = Counter(page.question_id for page in self.pages)
        facts = Counter(fact.question_id for fact in self.facts if fact.is_shown)
        chosen = self._chosen(most) if most else {question.id for question in self.questions}
        children: dict[str, list[Question]] = {}
        known: set[str] = set()
        for question in self.questions:
            children.setdefault(question.parent_id if question.parent_id in known else "", []).append(
                question
            )
            known.add(question.id)
        tree: list[QuestionState] = []
        waiting = [(question, 0) for question in reversed(children.get("", []))]
        while waiting:
            question, level = waiting.pop()
            if question.id in chosen:
                tree.append(QuestionState(question, level, pages[question.id], facts[question.id]))
            waiting += [(child, level + 1) for child in reversed(children.get(question.id, []))]
        return tree

    def _chosen(self, most: int) -> set[str]:
        """The ids of questions with their ancestors, the busiest of late first."""
        by_id = {question.id: question for question in self.questions}
        recent = (page.question_id for page in reversed(self.pages))
        chosen: set[str] = set()
        for question_id in dict.fromkeys((*recent, *by_id)):
            line: list[str] = []
            while question_id in by_id and question_id not in chosen and question_id not in line:
                line.append(question_id)
                question_id = by_id[question_id].parent_id  # noqa: PLW2901 - up to the goal
            if len(chosen) + len(line) <= most:
                chosen.update(line)
        return chosen
