"""Documents whose text is known, in the layouts that people make."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Literal

_PARAGRAPH = re.compile(r"<p[^>]*>(.*?)</p>|<div class=\"para\"[^>]*>(.*?)</div>", re.DOTALL)
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "\xa0": " "})

Kind = Literal["title", "heading", "paragraph", "item", "table", "sidebar", "rotated"]
Ruled = Literal["grid", "lines", "none"]


@dataclass(frozen=True)
class Cell:
    """A cell of a table; it may span."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Block:
    """A part of a document: `note` is the footnote of a paragraph, `rows` are a table's."""

    kind: Kind
    text: str = ""
    note: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    ruled: Ruled = "grid"


@dataclass(frozen=True)
class Layout:
    """A document and how it is to look.

    Attributes:
        name: of the layout.
        blocks: in reading order.
        columns: of running text.
        justified: both edges of the text are straight.
        indented: paragraphs begin with an indent and follow each other without a gap.
        size: of running text in points.
        width: of the text in points, columns and gaps together.
        header: where the running header stands: on no page, the first, or all.
    """

    name: str
    blocks: tuple[Block, ...]
    columns: int = 1
    justified: bool = False
    indented: bool = False
    size: float = 10
    width: float = 455
    header: Literal["", "first", "all"] = ""

    @property
    def is_rich(self) -> bool:
        """Whether it has more than headings, paragraphs and items."""
        kinds = {block.kind for block in self.blocks}
        return bool(kinds & {"table", "sidebar", "rotated"} or any(block.note for block in self.blocks))


HEADER = "Operations manual, second edition"
FOOTER = "Printed for the workshop"


def paragraphs(folder: Path) -> list[str]:
    """Running text of the HTML pages of a documentation package: plain ASCII, of 150 to 600 characters."""
    texts: dict[str, None] = {}
    for page in sorted(folder.rglob("*.html")):
        for found in _PARAGRAPH.findall(page.read_text(encoding="utf-8", errors="replace")):
            text = html.unescape(re.sub(r"<[^>]+>", "", found[0] or found[1])).translate(_PLAIN)
            text = " ".join(text.split())
            if 150 <= len(text) <= 600 and text.isascii() and text[0].isupper() and text[-1] == ".":
                texts[text] = None
    return list(texts)


class _Writer:
    """Takes paragraphs one after the other, each once."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = iter(texts)
        self._numbers = count(1)

    def text(self, number: int = 1) -> Iterator[Block]:
        for _ in range(number):
            yield Block("paragraph", next(self._texts))

    def heading(self) -> Block:
        words = re.findall(r"\b[a-zA-Z]{3,}\b", next(self._texts))[:4]
        return Block("heading", " ".join(words).capitalize())

    def noted(self, number: int) -> Iterator[Block]:
        for block in self.text(number):
            yield replace(block, note=self.short(90))

    def items(self, number: int) -> Iterator[Block]:
        for _ in range(number):
            yield Block("item", self.short(110))

    def short(self, characters: int) -> str:
        words: list[str] = []
        for word in next(self._texts).split():
            if sum(map(len, words)) + len(words) + len(word) > characters:
                break
            words.append(word)
        return " ".join(words).rstrip(",;:.- ")

    def words(self, number: int) -> str:
        return " ".join(re.findall(r"\b[a-z]{3,}\b", next(self._texts))[:number])

    def table(self, ruled: Ruled, rows: int, *, long: bool = False) -> Block:
        """A plain table: a header and rows, the last column numbers; `long` cells take several lines."""
        head = tuple(Cell(self.words(1).capitalize()) for _ in range(3))
        body = (
            (
                Cell(self.words(2)),
                Cell(self.short(130) if long else self.words(3)),
                Cell(str(next(self._numbers) * 37)),
            )
            for _ in range(rows)
        )
        return Block("table", rows=(head, *body), ruled=ruled)

    def spanning(self) -> Block:
        """A table with a cell over columns in its header, one over rows, one over both and one over a row."""
        word = lambda: Cell(self.words(2))  # noqa: E731 - said six times below
        return Block(
            "table",
            rows=(
                (Cell(self.words(1), rows=2), Cell(self.words(2), columns=2), Cell(self.words(1), rows=2)),
                (word(), word()),
                (Cell(self.words(2), rows=2), word(), word(), word()),
                (word(), word(), word()),
                (word(), Cell(self.words(3), columns=2, rows=2), word()),
                (word(), word()),
                (Cell(self.words(4), columns=4),),
                (word(), word(), word(), word()),
            ),
        )

    def grouped(self) -> Block:
        """A table without rules whose groups of rows are parted by empty rows, and with empty cells."""
        head = tuple(Cell(self.words(1).capitalize()) for _ in range(4))
        rows: list[tuple[Cell, ...]] = [head]
        for group in range(3):
            if group:
                rows.append(tuple(Cell("") for _ in range(4)))
            for line in range(3):
                first = Cell(self.words(2) if line == 0 else "")
                rows.append(
                    (first, Cell(self.words(2)), Cell(str(next(self._numbers) * 11)), Cell(self.words(1)))
                )
        return Block("table", rows=tuple(rows), ruled="none")


def layouts(texts: Sequence[str]) -> dict[str, list[Layout]]:
    """All layouts in two halves: what the converter was mended by, and what was held back."""
    share = len(texts) // 16
    writers = (_Writer(texts[index * share :]) for index in range(16))
    return {half: [build(next(writers)) for build in builders] for half, builders in _BUILDERS.items()}


def _title(writer: _Writer) -> Block:
    return Block("title", f"Notes on {writer.words(2)}")


def _plain(w: _Writer) -> Layout:
    return Layout(
        "plain", (_title(w), *w.text(3), w.heading(), *w.text(2), *w.items(4), w.heading(), *w.text(4))
    )


def _narrow(w: _Writer) -> Layout:
    return Layout(
        "narrow-justified", (_title(w), *w.text(5), w.heading(), *w.text(4)), justified=True, width=150
    )


def _two_columns(w: _Writer) -> Layout:
    body = (*w.text(7), w.heading(), *w.text(7), w.heading(), *w.text(6))
    return Layout("two-columns", (_title(w), *body), columns=2, justified=True, size=9, header="all")


def _two_columns_ragged(w: _Writer) -> Layout:
    return Layout(
        "two-columns-ragged-indented", (*w.text(5), w.heading(), *w.text(6)), columns=2, indented=True
    )


def _footnotes(w: _Writer) -> Layout:
    return Layout(
        "footnotes", (_title(w), *w.noted(2), *w.text(2), w.heading(), *w.noted(2), *w.text(6), *w.noted(2))
    )


def _spans(w: _Writer) -> Layout:
    return Layout("table-spans", (_title(w), *w.text(2), w.spanning(), *w.text(2)))


def _header_once(w: _Writer) -> Layout:
    return Layout("single-page-header", (_title(w), *w.text(3), w.heading(), *w.text(2)), header="first")


def _grouped(w: _Writer) -> Layout:
    return Layout("table-empty-rows", (_title(w), *w.text(2), w.grouped(), *w.text(2)))


def _book(w: _Writer) -> Layout:
    body = (*w.text(8), w.heading(), *w.text(8))
    return Layout(
        "book-indented", (_title(w), *body), justified=True, indented=True, size=11, width=320, header="all"
    )


def _three_columns(w: _Writer) -> Layout:
    body = (*w.text(6), w.heading(), *w.text(6), w.heading(), *w.text(6))
    return Layout("three-columns", (_title(w), *body), columns=3, justified=True, size=8.5)


def _columns_notes(w: _Writer) -> Layout:
    body = (
        *w.noted(1),
        *w.text(4),
        w.heading(),
        *w.items(4),
        *w.noted(1),
        *w.text(4),
        w.heading(),
        *w.text(3),
    )
    return Layout("two-columns-footnotes-items", (_title(w), *body), columns=2, size=9.5)


def _sidebar(w: _Writer) -> Layout:
    aside = Block("sidebar", next(w.text(1)).text)
    return Layout(
        "sidebar", (_title(w), *w.text(2), aside, *w.text(4), w.heading(), *w.text(2)), justified=True
    )


def _table_lines(w: _Writer) -> Layout:
    return Layout(
        "table-lines-long-cells", (_title(w), *w.text(2), w.table("lines", 5, long=True), *w.text(2))
    )


def _columns_table(w: _Writer) -> Layout:
    body = (*w.text(4), w.table("grid", 5), *w.text(4), w.heading(), *w.text(4))
    return Layout("two-columns-table", (_title(w), *body), columns=2, justified=True, size=9)


def _rotated(w: _Writer) -> Layout:
    note = Block("rotated", w.short(60))
    return Layout("rotated-note", (_title(w), note, *w.text(4), w.heading(), *w.text(4)), header="first")


def _unruled(w: _Writer) -> Layout:
    return Layout(
        "table-unruled",
        (_title(w), *w.text(1), w.table("none", 6), *w.text(2), w.table("none", 3), *w.text(1)),
    )


_BUILDERS = {
    "mended by": (
        _plain, _narrow, _two_columns, _two_columns_ragged, _footnotes, _spans, _header_once, _grouped,
    ),
    "held back": (
        _book, _three_columns, _columns_notes, _sidebar, _table_lines, _columns_table, _rotated, _unruled,
    ),
}  # fmt: skip
