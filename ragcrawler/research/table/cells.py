"""A cell: what pages say about one field of one thing, and whether they agree."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.evidence.values import Value
from ragcrawler.urls.host import host_of

CellState = Literal["confirmed", "single", "contradicted"]

# So many hosts have to say a thing on their own before it counts as confirmed.
_INDEPENDENT_HOSTS = 2


@dataclass(frozen=True, slots=True)
class CellValue:
    """A value, and who says it.

    Attributes:
        value: as its first fact gives it.
        normal: its normal form.
        facts: that say it, one a page; borne-out ones first, then in the order in which they were found.
        hosts: of their pages, each once.
    """

    value: Value
    normal: str
    facts: tuple[Fact, ...]
    hosts: tuple[str, ...]

    @property
    def is_confirmed(self) -> bool:
        """Whether two independent hosts say it: none of their pages repeats the sentence of another."""
        return independent(self.facts) >= _INDEPENDENT_HOSTS


@dataclass(frozen=True, slots=True)
class TableCell:
    """The values of a field of a row.

    Attributes:
        path: of the field.
        is_repeated: a row may have many values of it, so that several do not contradict each other.
        values: best borne out first.
    """

    path: str
    is_repeated: bool
    values: tuple[CellValue, ...]

    @property
    def state(self) -> CellState:
        """Whether the values agree, and whether independent hosts do."""
        if len(self.values) > 1 and not self.is_repeated:
            return "contradicted"
        return "confirmed" if all(value.is_confirmed for value in self.values) else "single"


def build_cell(path: str, facts: Iterable[Fact], *, is_repeated: bool) -> TableCell:
    """Group facts by what they say. A coarser date or a part of a name is the same as the finer one."""
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.normal, []).append(fact)
    for normal in sorted(groups, key=len):
        finer = [other for other in groups if other != normal and _refines(other, normal)]
        if len(finer) == 1:
            groups[finer[0]] += groups.pop(normal)
    values = [_cell_value(normal, of_value) for normal, of_value in groups.items()]
    values.sort(key=lambda value: (-independent(value.facts), -len(value.facts)))
    return TableCell(path, is_repeated, tuple(values))


def independent(facts: Iterable[Fact]) -> int:
    """How many hosts say it, where hosts whose quotes are the same text count once."""
    by_text: dict[str, str] = {}
    for fact in facts:
        if fact.state != "unverified" and not fact.is_suspicious:
            by_text.setdefault(" ".join(fact.quote.text.split()).casefold(), host_of(fact.quote.url))
    return len(set(by_text.values()))


def _refines(finer: str, coarser: str) -> bool:
    """Whether one ISO date says another one more exactly: 1999-05-04 and 1999."""
    return finer.startswith(coarser + "-") and coarser.lstrip("-").replace("-", "").isdecimal()


def _cell_value(normal: str, facts: list[Fact]) -> CellValue:
    facts.sort(key=lambda fact: (fact.is_suspicious, fact.state != "supported"))
    one_a_page = {fact.quote.url: fact for fact in reversed(facts)}
    kept = tuple(fact for fact in facts if one_a_page[fact.quote.url] is fact)
    hosts = tuple(dict.fromkeys(host_of(fact.quote.url) for fact in kept))
    return CellValue(kept[0].value, normal, kept, hosts)
