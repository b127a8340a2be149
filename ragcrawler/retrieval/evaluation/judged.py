"""Queries with what was judged relevant to them."""

from collections.abc import Mapping
from dataclasses import dataclass

Grades = Mapping[str, int]
"""How relevant something is, by its name; what is missing is not."""


class QuerySetError(Exception):
    """A set of queries that cannot be read; says where, and what would be right."""


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query and its gold.

    Attributes:
        id: names it within its set.
        text: what is asked.
        grades: of what was judged: by URL, or by document id in a set with its own corpus. What is relevant
            has at least 1, what was judged not to be 0.
        is_drafted: whether a program wrote it; see `drafting`.
    """

    id: str
    text: str
    grades: Grades
    is_drafted: bool = False

    @property
    def relevant(self) -> list[str]:
        """The names of what is relevant."""
        return [name for name, grade in self.grades.items() if grade > 0]
