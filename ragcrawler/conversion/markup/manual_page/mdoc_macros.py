"""The macros of `mdoc`, see mdoc(7)."""

import re
from collections.abc import Callable

from ragcrawler.conversion.markup.manual_page.escapes import Roff
from ragcrawler.conversion.markup.manual_page.mdoc_line import MdocLine
from ragcrawler.conversion.markup.manual_page.requests import Line, Requests
from ragcrawler.conversion.markup.manual_page.tables import table_html
from ragcrawler.conversion.markup.manual_page.writer import PageWriter, unglued

_LIST_KINDS = {
    "-bullet": "ul",
    "-dash": "ul",
    "-hyphen": "ul",
    "-item": "ul",
    "-enum": "ol",
    "-column": "column",
}
_CODE_DISPLAYS = ("-literal", "-unfilled")
_BEGINS_SYNOPSIS = ("In", "Ft", "Nm")
_HEADINGS = {"Sh": 2, "Ss": 3}


class MdocPage:
    """Works off the lines of a page."""

    def __init__(self, roff: Roff, writer: PageWriter) -> None:
        self._roff = roff
        self._writer = writer
        self._line = MdocLine(roff)
        self._lists: list[str] = []
        self._rows: list[str] = []
        self._head: list[str] | None = None
        self._displays: list[bool] = []
        self._handlers: dict[str, Callable[[Line], None]] = {
            "Dd": self._date,
            "Dt": self._title,
            "Sh": self._heading,
            "Ss": self._heading,
            **dict.fromkeys(("Pp", "Lp", "sp"), lambda _: self._writer.flush()),
            "br": lambda _: self._writer.line_break(),
            "Bl": self._begin_list,
            "El": self._end_list,
            "It": self._item,
            "Bd": self._begin_display,
            "Ed": self._end_display,
            "Dl": self._one_line,
            "D1": self._one_line,
            "nf": lambda _: self._writer.begin_code(),
            "fi": lambda _: self._writer.end_code(),
        }

    @property
    def names(self) -> frozenset[str]:
        """The macros that the page cannot define anew."""
        return frozenset({*self._handlers, *self._line.names, "TS"})

    def read(self, lines: Requests) -> None:
        for line in lines:
            if line.macro == "TS":
                self._writer.table(table_html(lines.raw("TE"), self._roff))
            elif line.macro in self._handlers:
                self._handlers[line.macro](line)
            elif line.macro in self._line.names:
                self._inline(line)
            elif not line.macro:
                self._text(line.rest)

    def _inline(self, line: Line) -> None:
        name = line.macro
        if self._head is not None and name == "Xc":
            self._end_head()
            name = "No"
        if name in _BEGINS_SYNOPSIS and self._line.section == "SYNOPSIS":
            self._writer.flush()
        self._say(self._line.macro(name, line.arguments))

    def _text(self, text: str) -> None:
        if not text.strip() and not self._writer.is_code:
            self._writer.flush()
        else:
            self._say(self._roff.html(text))

    def _say(self, html: str) -> None:
        if self._head is not None:
            self._head.append(html)
        elif self._lists and self._lists[-1] == "column" and self._rows:
            self._rows[-1] += " " + html
        elif html or self._writer.is_code:
            self._writer.text(html)

    def _date(self, line: Line) -> None:
        self._writer.manual_date = self._roff.plain(line.rest)

    def _title(self, line: Line) -> None:
        name, section = [*map(self._roff.plain, line.arguments), "", ""][:2]
        self._writer.title = f"{name.lower() if name.isupper() else name}({section})" if section else name

    def _heading(self, line: Line) -> None:
        shown = self._line.words(line.arguments)
        self._writer.heading(_HEADINGS[line.macro], unglued(re.sub("<[^>]+>", "", shown)))
        self._lists.clear()
        self._line.section = shown

    def _begin_list(self, line: Line) -> None:
        kind = next((_LIST_KINDS[word] for word in line.arguments if word in _LIST_KINDS), "dl")
        self._writer.indent()
        self._lists.append(kind)
        self._rows = []

    def _end_list(self, _line: Line) -> None:
        if self._lists and self._lists.pop() == "column" and self._rows:
            rows = ["<tr><td>" + row.replace("\t", "</td><td>") + "</td></tr>" for row in self._rows]
            self._writer.table(f"<table>{''.join(rows)}</table>")
            self._rows = []
        self._writer.outdent()

    def _item(self, line: Line) -> None:
        kind = self._lists[-1] if self._lists else "dl"
        self._end_head()
        words = self._line.words(line.arguments)
        if "Xo" in line.arguments and "Xc" not in line.arguments:
            self._head = [words]
        elif kind == "column":
            self._rows.append(words)
        else:
            self._writer.item(kind, words if kind == "dl" else "")
            if kind != "dl" and words:
                self._writer.text(words)

    def _end_head(self) -> None:
        """Begin an item whose head stood on several lines."""
        if self._head is not None:
            words, self._head = " ".join(self._head), None
            kind = self._lists[-1] if self._lists else "dl"
            self._writer.item("dl" if kind == "column" else kind, words)

    def _begin_display(self, line: Line) -> None:
        self._displays.append(any(word in _CODE_DISPLAYS for word in line.arguments))
        if self._displays[-1]:
            self._writer.begin_code()
        else:
            self._writer.flush()

    def _end_display(self, _line: Line) -> None:
        if self._displays and self._displays.pop():
            self._writer.end_code()
        else:
            self._writer.flush()

    def _one_line(self, line: Line) -> None:
        self._writer.begin_code()
        self._writer.text(self._line.words(line.arguments))
        self._writer.end_code()
