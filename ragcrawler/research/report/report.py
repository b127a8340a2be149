"""All that a report shows, whatever its format."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.questions import Question
from ragcrawler.research.report.lineage import LineageNode, build_lineage
from ragcrawler.research.report.narrative import Narrative
from ragcrawler.research.storage.database import ResearchRecord
from ragcrawler.research.storage.pages import ReadPage
from ragcrawler.research.table import TableRow

NO_EVIDENCE = "No evidence found."


@dataclass(frozen=True, slots=True)
class Report:
    """A research, to be shown.

    Attributes:
        record: goal, template and why it ended.
        rows: of its table, those with the most hosts first.
        narrative: its text.
        questions: in the order in which they were asked.
        pages: in the order in which they were read.
        unverified: facts that their quotes do not bear out; they are counted, not shown.
        counts: of tasks, calls, tokens and dollars, by name.
    """

    record: ResearchRecord
    rows: tuple[TableRow, ...]
    narrative: Narrative
    questions: tuple[Question, ...]
    pages: tuple[ReadPage, ...]
    unverified: int = 0
    counts: Mapping[str, float] = field(default_factory=dict)

    @property
    def citations(self) -> dict[str, int]:
        """A number for each cited fact, by its id: first those of the text, then those of the table."""
        in_text = (fact.id for sentence in self.narrative.sentences for fact in sentence.facts)
        ids = dict.fromkeys((*in_text, *self.facts))
        return {fact_id: number for number, fact_id in enumerate(ids, start=1)}

    @property
    def facts(self) -> dict[str, Fact]:
        """The facts of the table, by id."""
        return {
            fact.id: fact
            for row in self.rows
            for cell in row.cells.values()
            for value in cell.values
            for fact in value.facts
        }

    @property
    def lineage(self) -> list[LineageNode]:
        """Questions and pages, each behind its parent, depth first."""
        return build_lineage(self.questions, self.pages, self.facts.values())

    @property
    def titles(self) -> dict[str, str]:
        """Of the pages, by URL; "" where a page has none."""
        return {page.url: page.title for page in self.pages}

    @property
    def summary(self) -> dict[str, float | str]:
        """How it was found: what was counted, and why it ended."""
        return {
            "questions asked": len(self.questions),
            "pages read": len(self.pages),
            "facts shown": len(self.facts),
            "values that no quote bears out, left out": self.unverified,
            "sentences struck": len(self.narrative.struck),
            "calls for the text that failed": len(self.narrative.errors),
            **self.counts,
            "ended": self.record.end_reason or "not yet",
        }
