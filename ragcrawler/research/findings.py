"""The facts of a research, and what they leave to be asked."""

from collections import Counter
from collections.abc import Iterable

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.table import TableRow, build_rows
from ragcrawler.research.templates import Template
from ragcrawler.research.templates.fields import Leaf


class Findings:
    """All facts that were found.

    Args:
        template: of their rows.
    """

    def __init__(self, template: Template) -> None:
        self._template = template
        self._facts: dict[str, Fact] = {}
        self._said: Counter[tuple[tuple[str, ...], str, str]] = Counter()
        self._asked: set[tuple[str, str]] = set()
        self._subjects = {leaf.path: _subject(leaf) for leaf in template.leaves}

    @property
    def facts(self) -> list[Fact]:
        """All, unverified ones among them, in the order in which they were found."""
        return list(self._facts.values())

    def add(self, facts: Iterable[Fact]) -> int:
        """Take facts over; how many of them no page had said before."""
        new = 0
        for fact in facts:
            said = (fact.row, fact.path, fact.normal)
            if fact.id not in self._facts and fact.is_shown:
                new += not self._said[said]
                self._said[said] += 1
            self._facts.setdefault(fact.id, fact)
        return new

    def rows(self) -> list[TableRow]:
        """The facts, put together."""
        return build_rows(self._facts.values(), self._template)

    def missing_cells(self, rows: Iterable[TableRow], limit: int) -> list[str]:
        """Questions for the fields that rows lack, at most so many, each asked once."""
        names = ((row.name(self._template), row.missing(self._template)) for row in rows)
        cells = ((name, path) for name, paths in names for path in paths)
        found = [cell for cell in cells if cell not in self._asked][:limit]
        self._asked.update(found)
        return [f"{name}: {self._subjects[path]}?" for name, path in found]


def _subject(leaf: Leaf) -> str:
    """A field in words: its description, or its name."""
    return leaf.field.description.strip().rstrip(".?!") or leaf.path.replace("_", " ").replace(".", " ")
