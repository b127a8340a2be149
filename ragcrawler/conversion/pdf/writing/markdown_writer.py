"""Blocks as Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from ragcrawler.conversion.escaping import escape_block_start, escape_cell, fence
from ragcrawler.conversion.pdf.blocks import (
    Block,
    Code,
    Figure,
    Footnote,
    Heading,
    ListItem,
    Paragraph,
    Table,
)
from ragcrawler.conversion.pdf.reading.page import Image
from ragcrawler.conversion.pdf.reading.text.lines import Line
from ragcrawler.conversion.pdf.writing.inline import InlineWriter
from ragcrawler.items import Anchor

_MOST_BLANK_LINES = 2
_INDENT = 4  # deep enough for `10. `


def code_text(lines: Sequence[Line]) -> str:
    """The text of monospaced lines, indented relative to the leftmost."""
    advance = median(word.box.width / len(word.text) for line in lines for word in line.words)
    left = min(line.box.x0 for line in lines)
    spacing = _spacing(lines)
    rows: list[str] = []
    for index, line in enumerate(lines):
        if index and spacing:
            distance = (line.baseline - lines[index - 1].baseline) / spacing
            rows += [""] * min(max(round(distance) - 1, 0), _MOST_BLANK_LINES)
        rows.append(_row(line, left, max(advance, 0.1)))
    return "\n".join(rows)


def _spacing(lines: Sequence[Line]) -> float:
    """The usual distance of two lines, 0 where there is one line."""
    distances = sorted(other.baseline - one.baseline for one, other in pairwise(lines))
    distances = [distance for distance in distances if distance > 0]
    return distances[len(distances) // 4] if distances else 0.0


def _row(line: Line, left: float, advance: float) -> str:
    row = ""
    for word in line.words:
        column = round((word.box.x0 - left) / advance)
        gap = max(column - len(row), 1) if word.spaced and row else max(column, 0) if not row else 0
        row += " " * gap + word.text
    return row


@dataclass(frozen=True, slots=True)
class _Written:
    text: str
    page: int
    is_item: bool


@dataclass(slots=True)
class MarkdownWriter:
    """Writes the blocks of one document.

    Attributes:
        inline: writes running text.
        names: file names by image; one without a name is left out.
        anchors: after `write`, where each page and heading begins: `#page=3` opens a PDF there.
    """

    inline: InlineWriter
    names: Mapping[Image, str]
    anchors: list[Anchor] = field(default_factory=list)

    def write(self, blocks: Sequence[Block]) -> str:
        """The whole document; it ends with one newline."""
        parts: list[str] = []
        line = 0
        last: _Written | None = None
        for written in self._written(blocks):
            tight = last is not None and last.is_item and written.is_item
            if parts:
                parts.append("\n" if tight else "\n\n")
                line += 1 if tight else 2
            if last is None or written.page != last.page or written.text.startswith("#"):
                self.anchors.append(Anchor(line, f"page={written.page + 1}"))
            parts.append(written.text)
            line += written.text.count("\n")
            last = written
        return "".join(parts) + "\n"

    def _written(self, blocks: Sequence[Block]) -> Iterator[_Written]:
        for block in blocks:
            text = self._block(block)
            if text:
                page = block.page if isinstance(block, Table | Figure | Footnote) else block.lines[0].page
                yield _Written(text, page, isinstance(block, ListItem))

    def _block(self, block: Block) -> str:
        match block:
            case Heading(lines, level):
                text = f"{'#' * level} {self.inline.write(lines, plain=True)}"
            case Paragraph(lines, indent):
                text = _indent(escape_block_start(self.inline.write(lines)), indent)
            case ListItem(lines, marker, indent):
                text = _indent(f"{marker} {self.inline.write(lines)}", indent)
            case Code(lines, indent):
                text = _indent(fence(code_text(lines)), indent)
            case Footnote(lines, number):
                label = self.inline.footnotes.label(block.page, number)
                text = f"[^{label}]: {self.inline.write(lines)}"
            case Table():
                text = self._table(block)
            case Figure():
                text = self._figure(block)
        return text

    def _table(self, table: Table) -> str:
        rows = [[escape_cell(self.inline.write(cell)) for cell in row] for row in table.rows]
        rows.insert(1, ["---"] * len(table.edges))
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def _figure(self, figure: Figure) -> str:
        name = self.names.get(figure.image)
        return f"![{self.inline.write(figure.caption, plain=True)}]({name})" if name else ""


def _indent(text: str, levels: int) -> str:
    if not levels:
        return text
    margin = " " * (_INDENT * levels)
    return "\n".join(margin + line if line else line for line in text.split("\n"))
