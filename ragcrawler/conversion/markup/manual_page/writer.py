"""What both sets of macros write into: HTML with headings, paragraphs, lists and code."""

import re
from dataclasses import dataclass, field
from html import escape

from ragcrawler.conversion.limits import ConversionLimits

GLUE = "\ufdd0"
"""Stands where no blank belongs between two words."""
_GLUED = re.compile(f" *{GLUE} *")
_TAGS = re.compile(r"<[^>]+>")
_ITEMS = {"ul": "li", "ol": "li", "dl": "dd"}


def unglued(html: str) -> str:
    """The text with its words joined where they belong together."""
    return _GLUED.sub("", html)


@dataclass(slots=True)
class PageWriter:
    """HTML of a page so far.

    Attributes:
        limits: the nesting of lists counts.
        pieces: the HTML.
        title: "ls(1)".
        manual_date: as the page gives it.
        lost: how many drawings and equations were left out.
    """

    limits: ConversionLimits
    pieces: list[str] = field(default_factory=list)
    title: str = ""
    manual_date: str = ""
    lost: int = 0
    _words: list[str] = field(default_factory=list)
    _code: list[str] | None = None
    _lists: list[str] = field(default_factory=lambda: [""])

    @property
    def is_code(self) -> bool:
        """Whether lines are kept as they are."""
        return self._code is not None

    def heading(self, level: int, html: str) -> None:
        self.close_lists()
        self.pieces.append(f"<h{level}>{html}</h{level}>")

    def text(self, html: str) -> None:
        """A line of the running paragraph, or of the code."""
        if self._code is not None:
            self._code.append(html)
        else:
            self._words.append(html)

    def line_break(self) -> None:
        if self._code is None and self._words:
            self._words.append("<br>")

    def flush(self) -> None:
        """End the paragraph."""
        words = unglued(" ".join(self._words)).removesuffix("<br>").strip()
        self._words.clear()
        if words:
            self.pieces.append(f"<p>{words}</p>")

    def begin_code(self) -> None:
        if self._code is None:
            self.flush()
            self._code = []

    def end_code(self) -> None:
        if self._code is None:
            return
        code = unglued(_TAGS.sub("", "\n".join(self._code))).strip("\n")
        self._code = None
        if code.strip():
            self.pieces.append(f"<pre>{code}</pre>")

    def item(self, kind: str, term: str = "") -> None:
        """Begin an item of a list of the kind ("ul", "ol", "dl"); a list of another kind ends."""
        self._end_block()
        if self._lists[-1] != kind:
            self._close_list()
            self._lists[-1] = kind
            self.pieces.append(f"<{kind}>")
        else:
            self.pieces.append(f"</{_ITEMS[kind]}>")
        self.pieces.append(f"<dt>{unglued(term)}</dt><dd>" if kind == "dl" else "<li>")

    def term(self, term: str) -> None:
        """Another term for the item that has just begun."""
        self.pieces[-1] = self.pieces[-1].replace("<dd>", f"<dt>{term}</dt><dd>")

    def end_list(self) -> None:
        """End the list on this level."""
        self._end_block()
        self._close_list()

    def indent(self) -> None:
        """A level of its own inside the item; too deep, it stays on this one."""
        self._end_block()
        if len(self._lists) < self.limits.max_nesting_levels // 4:
            self._lists.append("")

    def outdent(self) -> None:
        self.end_list()
        if len(self._lists) > 1:
            self._lists.pop()

    def close_lists(self) -> None:
        self._end_block()
        while len(self._lists) > 1:
            self.outdent()
        self._close_list()

    def table(self, html: str) -> None:
        self._end_block()
        self.pieces.append(html)

    def finish(self) -> str:
        """The body."""
        self.close_lists()
        heading = f"<h1>{escape(self.title)}</h1>" if self.title and self.pieces else ""
        return heading + "".join(self.pieces)

    def _end_block(self) -> None:
        self.end_code()
        self.flush()

    def _close_list(self) -> None:
        kind = self._lists[-1]
        if kind:
            self.pieces.append(f"</{_ITEMS[kind]}></{kind}>")
        self._lists[-1] = ""
