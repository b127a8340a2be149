"""How deep a list item is nested, told by where it stands."""

from ragcrawler.conversion.pdf.layout.rows import is_marker
from ragcrawler.conversion.pdf.reading.text import Line

_SLACK = 3.0  # points


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
