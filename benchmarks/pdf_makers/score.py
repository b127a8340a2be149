"""How much of a document's order, paragraphs and tables a text holds."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from difflib import SequenceMatcher
from statistics import mean

from pdf_makers.layout import Block, Layout

Grid = list[list[str]]
_DIVIDER = re.compile(r"\|(?:\s*:?-+:?\s*\|)+\s*")


@dataclass(frozen=True)
class Extracted:
    """A text in blocks, and the tables in it."""

    blocks: tuple[str, ...]
    tables: tuple[Grid, ...] = ()


@dataclass(frozen=True)
class Score:
    """Shares of one; None where the layout has nothing of the kind.

    Attributes:
        words: F1 of the words, whatever their order.
        order: words of the running text that stand in its order, F1.
        paragraphs: paragraphs, headings and items that are one block, whole and alone.
        tables: mean of the F1 of cells and the likeness of rows, as `best_table` has it.
    """

    words: float
    order: float
    paragraphs: float
    tables: float | None


MEASURES = tuple(each.name for each in fields(Score))


def score(layout: Layout, got: Extracted) -> Score:
    truth = [text for block in layout.blocks for text in _texts(block)]
    running = [
        block.text for block in layout.blocks if block.kind in {"title", "heading", "paragraph", "item"}
    ]
    said = " ".join(got.blocks)
    tables = [grid(block) for block in layout.blocks if block.kind == "table"]
    return Score(
        words=_f1(Counter(words(" ".join(truth))), Counter(words(said))),
        order=_order(words(" ".join(running)), words(said)),
        paragraphs=_whole(running, got.blocks),
        tables=mean(best_table(each, got.tables) for each in tables) if tables else None,
    )


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _texts(block: Block) -> list[str]:
    if block.kind == "rotated":  # a note at the edge; no loss and no gain
        return []
    return [block.text, block.note, *(cell.text for row in block.rows for cell in row)]


def _f1(truth: Counter[str], got: Counter[str]) -> float:
    return 2 * (truth & got).total() / max(truth.total() + got.total(), 1)


def _order(truth: Sequence[str], got: Sequence[str]) -> float:
    """The share of the words that the longest runs in common hold."""
    blocks = SequenceMatcher(None, truth, got, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(len(truth), 1)


def _whole(truth: Sequence[str], got: Sequence[str]) -> float:
    """The share of paragraphs that are a block of their own; spaces, hyphens and signs do not count."""
    blocks = Counter(_letters(block) for block in got)
    wanted = Counter(_letters(text) for text in truth)
    return (blocks & wanted).total() / max(wanted.total(), 1)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]|\[\^\d+\]|\d+$", "", text.casefold())


def grid(block: Block, *, copied: bool = False) -> Grid:
    """A table as rows of texts; a cell that spans stands in its first place, or in all of them."""
    columns = max(sum(cell.columns for cell in row) for row in block.rows)
    rows = [[""] * columns for _ in block.rows]
    taken: set[tuple[int, int]] = set()
    for at, row in enumerate(block.rows):
        column = 0
        for cell in row:
            while (at, column) in taken:
                column += 1
            places = [(at + r, column + c) for r in range(cell.rows) for c in range(cell.columns)]
            taken |= set(places)
            for y, x in places if copied else places[:1]:
                rows[y][x] = cell.text
    return [row for row in rows if any(row)]


def best_table(truth: Grid, got: Sequence[Grid]) -> float:
    return max((_likeness(truth, table) for table in got), default=0.0)


def _likeness(truth: Grid, got: Grid) -> float:
    one, other = ([[" ".join(words(cell)) for cell in row] for row in table] for table in (truth, got))
    other = [row for row in other if any(row)]
    cells = _f1(*(Counter(cell for row in table for cell in row if cell) for table in (one, other)))
    rows = SequenceMatcher(
        None, *(["\t".join(row) for row in table] for table in (one, other)), autojunk=False
    )
    return (cells + rows.ratio()) / 2


def of_markdown(markdown: str) -> Extracted:
    """Blocks and tables of Markdown; each item of a list is a block."""
    blocks: list[str] = []
    tables: list[Grid] = []
    for block in re.split(r"\n{2,}", markdown.strip()):
        lines = block.split("\n")
        if len(lines) > 1 and _DIVIDER.fullmatch(lines[1]):
            cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
            tables.append([cells[0], *cells[2:]])
            blocks += [" ".join(row) for row in tables[-1]]
        else:
            blocks += [_bare(line) for line in lines]
    return Extracted(tuple(blocks), tuple(tables))


def _bare(line: str) -> str:
    line = re.sub(r"\[\^\d+\]:?", "", line)
    return re.sub(r"^(?:#+|-|\d+\.)\s|\\|[*`]", "", line.strip())


def of_lines(text: str, tables: Sequence[Grid] = ()) -> Callable[[Layout], Extracted]:
    """Plain text in paragraphs: they end at empty lines, or where a line ends a sentence; the better counts."""
    joined = re.sub(r"(?<=[a-z])[-\x02\xad\ufffe]\r?\n(?=[a-z])", "", text)
    spaced = tuple(re.split(r"\n\s*\n", joined.replace("\r", "")))
    ended = tuple(re.split(r"(?<=[.!?:])[ \t]*\n|\n\s*\n", joined.replace("\r", "")))

    def of(layout: Layout) -> Extracted:
        found = (Extracted(blocks, tuple(tables)) for blocks in (spaced, ended))
        return max(found, key=lambda one: score(layout, one).paragraphs)

    return of
