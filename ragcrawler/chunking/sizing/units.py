"""The smallest parts that chunks are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from ragcrawler.items import ChunkType


class Boundary(IntEnum):
    """The cost of starting a chunk at a unit; an empty chunk costs 100, see `packing`."""

    SECTION = 0
    ELEMENT = 4
    BLANK_LINE = 12
    ITEM = 14
    ROW = 16
    TOP_LINE = 24
    SENTENCE = 30
    CONTEXT = 36
    INSIDE_ITEM = 40
    LINE = 50
    CLAUSE = 60
    WORD = 80
    LEAD_IN = 90
    AFTER_HEADING = 10_000


@dataclass(frozen=True, slots=True)
class SplitElement:
    """The table or list that was too big for one chunk.

    Attributes:
        kind: "table" or "list".
        ordinal: 1 for the first such table or list of the document.
        total: rows or items.
    """

    kind: ChunkType
    ordinal: int
    total: int


@dataclass(slots=True)
class Unit:
    """A span of the document that no chunk cuts; a chunk is a run of units.

    Attributes:
        start: offset of its first character.
        end: offset behind its last.
        tokens: of its text alone.
        kind: what it is.
        boundary: the cost of beginning a chunk here.
        reopen: what stands in front when a chunk begins here: a table's header, a fence with its language.
        reopen_tokens: its tokens.
        reclose: what stands behind when a chunk ends here: a closing fence.
        reclose_tokens: its tokens.
        indents: for each list item around it, outermost first: where it begins and the column of its text.
        text: what stands in place of the source: cells of a row that was cut, the beginning of a cut run.
        full_text: all of a run of which `text` is the beginning.
        element: the table or list that was split.
        number: 1-based number of its row or item in `element`.
        lead_in: what one must have read before it: the paragraph in front of that table or list, the first
            sentence of the paragraph that it goes on with.
        language: of code.
        is_heading: it is a section's heading.
        stands_alone: it is a small table by itself, a part of a row, and shares no chunk with other rows.
        oversized: it is over the limit on purpose.
    """

    start: int
    end: int
    tokens: int
    kind: ChunkType = "text"
    boundary: float = Boundary.ELEMENT
    reopen: str = ""
    reopen_tokens: int = 0
    reclose: str = ""
    reclose_tokens: int = 0
    indents: tuple[tuple[int, int], ...] = ()
    text: str | None = None
    full_text: str = ""
    element: SplitElement | None = None
    number: int = 0
    lead_in: tuple[int, int] | None = None
    language: str = ""
    is_heading: bool = False
    stands_alone: bool = False
    oversized: bool = False


def must_part(one: Unit, other: Unit) -> bool:
    """Whether a chunk ends between neighbours in any case: a part of a row brings its own head."""
    return one.kind == other.kind == "table" and (one.stands_alone or other.stands_alone)


def tokens_of(units: Sequence[Unit]) -> int:
    """Tokens of a chunk made of these units."""
    return units[0].reopen_tokens + sum(unit.tokens for unit in units) + units[-1].reclose_tokens
