"""The Markdown that is chunked: its text with the offsets of its lines."""

import re
from bisect import bisect_right

_BYTE_ORDER_MARK = "\ufeff"
# The line ends that markdown-it knows; `str.splitlines` knows more, and line numbers would drift apart.
_LINE_END = re.compile(r"\r\n|\r|\n")


class SourceText:
    """Text that is addressed by 0-based lines and by `str` offsets.

    A mark of the byte order in front belongs to no line: it would hide a heading or front matter behind it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        first = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0
        self._starts = [first, *(match.end() for match in _LINE_END.finditer(text))]
        if self._starts[-1] == len(text) and len(self._starts) > 1:
            self._starts.pop()

    @property
    def line_count(self) -> int:
        """Lines; an end of line at the very end begins no further one."""
        return len(self._starts)

    def offset(self, line: int) -> int:
        """Where a line begins; the end of the text for every line behind the last."""
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def line_at(self, offset: int) -> int:
        """The line on which an offset lies."""
        return bisect_right(self._starts, offset) - 1

    def lines(self, first: int, behind: int) -> str:
        """The text of lines `first` up to, not including, `behind`."""
        return self.text[self.offset(first) : self.offset(behind)]

    def is_blank(self, line: int) -> bool:
        """Whether a line holds nothing but white space."""
        return not self.lines(line, line + 1).strip()


def has_letters(text: str) -> bool:
    """Whether a text says anything: marks and white space alone do not."""
    return any(character.isalnum() for character in text)
