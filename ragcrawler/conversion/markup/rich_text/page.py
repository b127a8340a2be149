"""Paragraphs, tables and lists of a Rich Text document as HTML."""

import re
from html import escape

from ragcrawler.conversion.markup.rich_text.state import Group, Paragraph
from ragcrawler.conversion.work import Work

_NUMBER = re.compile(r"[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.):\]]+")
_FONTS = re.compile(r"</?(?:strong|em)>")
_DEEPEST = 6
_MAX_LIST_LEVEL = 8


class RichTextPage:
    """Takes texts with their properties; gives HTML.

    Args:
        work: counts paragraphs and cells.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._blocks: list[str] = []
        self._runs: list[str] = []
        self._marks: list[tuple[str, str]] = []  # of the run: text and the tags around it
        self._plain: list[str] = []
        self._is_code = True
        self._cells: list[str] = []
        self._cell: list[str] = []
        self._rows: list[str] = []
        self._items: list[tuple[int, str, str]] = []
        self._code: list[str] = []

    def text(self, text: str, group: Group, *, is_code: bool) -> None:
        """Add a text to the paragraph."""
        if group.is_hidden or not text:
            return
        tags = ("b" if group.is_bold else "") + ("i" if group.is_italic else "")
        if is_code and text.strip():
            tags = "c"
        self._is_code = self._is_code and (is_code or not text.strip())
        self._plain.append(text)
        self._marks.append((text, tags))

    def html(self, html: str) -> None:
        """Add something that is HTML already: a picture, a note."""
        self._is_code = False
        self._close_run()
        self._runs.append(html)

    def paragraph(self, paragraph: Paragraph) -> None:
        """End the paragraph."""
        self._work.elements(1)
        plain, is_code = "".join(self._plain), self._is_code
        html = self._take_line()
        if paragraph.is_in_table:
            self._cell.append(html)
            return
        self._end_table()
        level = paragraph.outline
        if is_code and plain.strip() and level is None:
            self._end_list()
            self._code.append(plain)
            return
        if self._code and not plain.strip():
            self._code.append("")
            return
        self._end_code()
        if not html:
            return
        if paragraph.marker and level is None:
            kind = "ol" if _NUMBER.fullmatch(paragraph.marker) else "ul"
            self._items.append((min(paragraph.list_level, _MAX_LIST_LEVEL), kind, html))
            return
        self._end_list()
        tag = "p"
        if level is not None:
            tag, html = f"h{min(level + 1, _DEEPEST)}", _FONTS.sub("", html)  # headings are bold anyway
        self._blocks.append(f"<{tag}>{html}</{tag}>")

    def cell(self) -> None:
        """End a cell."""
        self._work.elements(1)
        self._cell.append(self._take_line())
        self._cells.append("<br>".join(filter(None, self._cell)))
        self._cell = []

    def row(self) -> None:
        """End a row."""
        if self._cells:
            self._rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in self._cells) + "</tr>")
        self._cells = []

    def finish(self) -> str:
        """The body."""
        self.paragraph(Paragraph())
        self._end_table()
        self._end_list()
        self._end_code()
        return "".join(self._blocks)

    def take_inline(self) -> str:
        """What was added last as one line, for a note."""
        return self._take_line()

    def _take_line(self) -> str:
        self._close_run()
        html = "".join(self._runs).strip()
        self._runs, self._plain, self._is_code = [], [], True
        return html

    def _close_run(self) -> None:
        """Write the texts so far; neighbours of one kind are one element."""
        texts: list[str] = []
        before = ""
        for text, tags in [*self._marks, ("", "end")]:
            if tags != before:
                self._runs.append(_marked("".join(texts), before))
                texts = []
                before = tags
            texts.append(text)
        self._marks = []

    def _end_table(self) -> None:
        self.row()
        if self._rows:
            self._end_list()
            self._end_code()
            self._blocks.append(f"<table>{''.join(self._rows)}</table>")
            self._rows = []

    def _end_code(self) -> None:
        code = "\n".join(self._code).strip("\n")
        if code:
            self._blocks.append(f"<pre>{escape(code)}</pre>")
        self._code = []

    def _end_list(self) -> None:
        if self._items:
            self._blocks.append(_list_html(self._items))
            self._items = []


def _marked(text: str, tags: str) -> str:
    """A text in its elements, its blanks outside of them."""
    shown = escape(text, quote=False).replace("\n", "<br>")
    inner = shown.strip()
    names = {"b": "strong", "i": "em", "c": "code"}
    if not inner or not tags:
        return shown
    start = shown.index(inner)
    marks = [names[tag] for tag in tags]
    opened = "".join(f"<{name}>" for name in marks)
    closed = "".join(f"</{name}>" for name in reversed(marks))
    return f"{shown[:start]}{opened}{inner}{closed}{shown[start + len(inner) :]}"


def _list_html(items: list[tuple[int, str, str]]) -> str:
    """Items with their levels as lists in lists."""
    pieces: list[str] = []
    opened: list[str] = []
    for level, kind, html in items:
        while len(opened) > level + 1:
            pieces.append(f"</li></{opened.pop()}>")
        if len(opened) == level + 1 and opened[-1] != kind:
            pieces.append(f"</li></{opened.pop()}>")
        elif len(opened) == level + 1:
            pieces.append("</li>")
        while len(opened) < level + 1:
            pieces.append(f"<{kind}>" if len(opened) == level else f"<{kind}><li>")
            opened.append(kind)
        pieces.append(f"<li>{html}")
    while opened:
        pieces.append(f"</li></{opened.pop()}>")
    return "".join(pieces)
