"""From the items of a page in reading order to blocks."""

from collections.abc import Iterator, Sequence

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
from ragcrawler.conversion.pdf.layout.document_style import DocumentStyle
from ragcrawler.conversion.pdf.layout.footnotes import starts_footnote
from ragcrawler.conversion.pdf.layout.groups import is_code, starts_item
from ragcrawler.conversion.pdf.layout.heading_styles import HeadingStyles
from ragcrawler.conversion.pdf.layout.rows import is_marker
from ragcrawler.conversion.pdf.reading.text.lines import Line

_SLACK = 3.0  # points
Group = tuple[Line, ...]


class ListLevels:
    """The lists that are open while a document is read from top to bottom."""

    def __init__(self) -> None:
        self._open: list[tuple[float, float]] = []

    def item(self, line: Line) -> int:
        """Enter an item; gives the number of items it is inside of."""
        marker, text = line.words[0].box.x0, line.words[1].box.x0
        while self._open and marker < self._open[-1][1] - _SLACK:
            self._open.pop()
        self._open.append((marker, text))
        return len(self._open) - 1

    def text(self, line: Line) -> int:
        """Enter something else; gives the number of items it is inside of."""
        while self._open and line.box.x0 < self._open[-1][1] - _SLACK:
            self._open.pop()
        return len(self._open)

    def close(self) -> None:
        """A heading or table at the margin ends all lists."""
        self._open.clear()


def written_marker(text: str) -> str:
    """A marker as Markdown has it: `3.` stays, every bullet is `-`; letters are left to the text."""
    digits = text.strip("()[].")
    if is_marker(text) and digits.isdigit():
        return f"{int(digits)}."
    return "-"


class BlockBuilder:
    """Names what each group of lines is."""

    def __init__(self, style: DocumentStyle, headings: HeadingStyles, named: dict[Line, int]) -> None:
        """Take what is known of the document.

        Args:
            style: of running text.
            headings: levels by looks.
            named: levels of the headings that the outline names, by their first lines.
        """
        self._style = style
        self._headings = headings
        self._named = named
        self._lists = ListLevels()

    def build(self, groups: Sequence[Group | Table | Figure]) -> Iterator[Block]:
        """Name the groups of one column."""
        for group in groups:
            if isinstance(group, Table | Figure):
                if isinstance(group, Table):
                    self._lists.close()
                yield group
            else:
                yield from self._block(group)

    def _block(self, group: Group) -> Iterator[Block]:
        level = self._named.get(group[0], 0) or self._headings.level(group)
        if level:
            self._lists.close()
            yield Heading(group, level)
        elif all(is_code(line, self._style) for line in group):
            yield Code(group, self._lists.text(min(group, key=lambda line: line.box.x0)))
        elif starts_footnote(group[0], self._style.size):
            first, *rest = group
            lines = (first.with_words(first.words[1:]), *rest)
            yield Footnote(lines, first.words[0].text)
        elif starts_item(group[0]):
            yield self._item(group)
        else:
            yield Paragraph(group, self._lists.text(group[0]))

    def _item(self, group: Group) -> ListItem:
        first, *rest = group
        indent = self._lists.item(first)
        marker = first.words[0].text
        written = written_marker(marker)
        is_lettered = written == "-" and marker.strip("()[].").isalnum()
        lines = (first if is_lettered else first.with_words(first.words[1:]), *rest)
        return ListItem(lines, written, indent)
