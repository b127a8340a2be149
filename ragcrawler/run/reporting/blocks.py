"""What the sections of a report are made of; each form of the report writes these in its own way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ragcrawler.run.reporting.activity import ListedPage
from ragcrawler.run.reporting.activity.crawl_activity import Event
from ragcrawler.run.reporting.activity.histogram import Histogram
from ragcrawler.run.reporting.activity.time_series import TimeSeries


class Link(NamedTuple):
    """A URL in the cell of a table."""

    url: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph.

    Attributes:
        words: with file names, settings and arguments in backticks.
        tone: "good" or "bad" news, or a "quiet" note.
    """

    words: str
    tone: Literal["", "good", "bad", "quiet"] = ""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Names and numbers; those of zero are left out, and with them a block that has no other.

    Attributes:
        heads: of the names and of the numbers.
        rows: in order.
        title: over it, "" for none.
        look: a list, a list with a bar for each number, or the large figures at the head of the report.
    """

    heads: tuple[str, str]
    rows: Mapping[str, int | float | str]
    title: str = ""
    look: Literal["list", "bars", "figures"] = "list"

    @property
    def shown(self) -> dict[str, int | float | str]:
        """The rows that say something."""
        return {name: value for name, value in self.rows.items() if value or self.look == "figures"}


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of several columns.

    Attributes:
        title: over it.
        heads: of the columns.
        rows: in order, as many as are known.
        total: how many there are.
        rest: where the others stand, with file names in backticks; "" for nowhere.
    """

    title: str
    heads: tuple[str, ...]
    rows: Sequence[Sequence[str | Link]]
    total: int = 0
    rest: str = ""


@dataclass(frozen=True, slots=True)
class PageList:
    """URLs with a note each.

    Attributes:
        title: over it, "" for none.
        pages: in order, as many as are known.
        total: how many there are.
        is_whole: whether all that are known are shown, where there is room for them.
        rest: where the others stand, with file names in backticks; "" for nowhere.
    """

    title: str
    pages: Sequence[ListedPage]
    total: int = 0
    is_whole: bool = False
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    """Growing counts over the time that the crawl was at work; for a plot.

    Attributes:
        title: says what is shown.
        stretches: of the crawl, one a run.
        names: of the counts, with the events that they count; the first is drawn boldest.
        notes: below the plot.
    """

    title: str
    stretches: Sequence[TimeSeries]
    names: Mapping[str, Event]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sizes:
    """How often each size came; for a plot.

    Attributes:
        heads: of the sizes and of their counts.
        histogram: of them.
        unit: behind each size.
    """

    heads: tuple[str, str]
    histogram: Histogram
    unit: str = ""


Block = Text | Numbers | Grid | PageList | Course | Sizes
