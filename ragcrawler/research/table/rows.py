"""Facts to rows: one row a key."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.evidence.values import Value
from ragcrawler.research.table.cells import TableCell, build_cell
from ragcrawler.research.templates import Template


@dataclass(frozen=True, slots=True)
class TableRow:
    """What is known about one thing.

    Attributes:
        key: the normal form of its key.
        cells: by the path of the field, in the order of the template; fields of which nothing is known lack.
    """

    key: tuple[str, ...]
    cells: dict[str, TableCell]

    @property
    def hosts(self) -> frozenset[str]:
        """Of the pages that say anything of it."""
        return frozenset(
            host for cell in self.cells.values() for value in cell.values for host in value.hosts
        )

    def missing(self, template: Template) -> list[str]:
        """The fields that no row may lack and this one does."""
        return [
            leaf.path
            for leaf in template.leaves
            if leaf.path not in self.cells and not leaf.field.is_optional
        ]

    def name(self, template: Template) -> str:
        """The key as pages write it."""
        return ", ".join(str(self.cells[each].values[0].value) for each in template.key if each in self.cells)


def build_rows(facts: Iterable[Fact], template: Template) -> list[TableRow]:
    """Put facts together by the key of their row; those that nothing bears out are left out.

    A row is shown where the facts of its key are borne out, rows with the most hosts first, then by name. The
    order of the facts does not matter: pages that are read side by side are stored in another order than
    they were read in, and a report that is written again must not ask the model again.
    """
    by_row: dict[tuple[str, ...], dict[str, list[Fact]]] = {}
    for fact in sorted(facts, key=_place):
        if fact.is_shown:
            by_row.setdefault(fact.row, {}).setdefault(fact.path, []).append(fact)
    rows = [
        TableRow(
            key,
            {
                leaf.path: build_cell(leaf.path, by_path[leaf.path], is_repeated=leaf.is_repeated)
                for leaf in template.leaves
                if leaf.path in by_path
            },
        )
        for key, by_path in by_row.items()
        if all(name in by_path for name in template.key)
    ]
    rows.sort(key=lambda row: (-len(row.hosts), [_natural(part) for part in row.key]))
    return rows


def _place(fact: Fact) -> tuple[str, int, str, str]:
    return fact.quote.url, fact.quote.start, fact.path, fact.id


def flatten(row: TableRow, template: Template) -> dict[str, Value | list[Value]]:
    """A row as plain values by path: the best borne-out one, or all of a field that has many."""
    flat: dict[str, Value | list[Value]] = {}
    for leaf in template.leaves:
        cell = row.cells.get(leaf.path)
        if cell is not None:
            values = [value.value for value in cell.values]
            flat[leaf.path] = values if leaf.is_repeated else values[0]
    return flat


def _natural(name: str) -> list[tuple[int, str]]:
    """Orders `python 3.9` before `python 3.10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,18})", name)]
