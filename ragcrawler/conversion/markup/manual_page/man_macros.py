"""The macros of `man`, see man(7)."""

import re
from collections.abc import Callable

from ragcrawler.conversion.markup.manual_page.escapes import Roff
from ragcrawler.conversion.markup.manual_page.requests import Line, Requests
from ragcrawler.conversion.markup.manual_page.tables import table_html
from ragcrawler.conversion.markup.manual_page.writer import PageWriter

_FONT_NAMES = {"B": "b", "I": "i", "R": ""}
_BULLETS = {"\u2022", "*", "-", "o", "\u00b7", "\u2014", "\u2013", "+", "\u25cb"}
_NUMBER = re.compile(r"[(\[]?\d{1,3}[.)\]]+")


class ManPage:
    """Works off the lines of a page."""

    def __init__(self, roff: Roff, writer: PageWriter) -> None:
        self._roff = roff
        self._writer = writer
        self._wants_term = False
        self._adds_term = False
        self._pending: Callable[[str], str] | None = None
        self._link: tuple[str, list[str]] | None = None
        self._handlers: dict[str, Callable[[Line], None]] = {
            "TH": self._title,
            "SH": lambda line: self._heading(2, line),
            "SS": lambda line: self._heading(3, line),
            **dict.fromkeys(("PP", "LP", "P", "HP"), self._paragraph),
            **dict.fromkeys(("TP", "TQ"), self._tag_paragraph),
            "IP": self._indent_paragraph,
            "RS": lambda _: self._writer.indent(),
            "RE": lambda _: self._writer.outdent(),
            **dict.fromkeys(("nf", "EX", "Vb", "CS", "DS"), lambda _: self._writer.begin_code()),
            **dict.fromkeys(("fi", "EE", "Ve", "CE", "DE"), lambda _: self._writer.end_code()),
            **dict.fromkeys(("br", "sp", "ti"), self._break),
            **dict.fromkeys(("UR", "MT"), self._begin_link),
            **dict.fromkeys(("UE", "ME"), self._end_link),
            "SY": self._synopsis,
            "OP": self._option,
            "MR": self._reference,
        }
        for name in ("B", "I", "SM", "SB", "BR", "RB", "BI", "IB", "IR", "RI"):
            self._handlers[name] = self._font

    @property
    def names(self) -> frozenset[str]:
        """The macros that the page cannot define anew."""
        return frozenset({*self._handlers, "TS", "TE", "EQ", "EN", "PS", "PE"})

    def read(self, lines: Requests) -> None:
        for line in lines:
            if line.macro == "TS":
                self._writer.table(table_html(lines.raw("TE"), self._roff))
            elif line.macro in ("EQ", "PS"):
                self._writer.lost += 1
                for _ in lines.raw({"EQ": "EN", "PS": "PE"}[line.macro]):
                    pass
            elif line.macro in self._handlers:
                self._handlers[line.macro](line)
            elif not line.macro:
                self._text(line.rest)
        self._end_link(Line("UE", ""))

    def _text(self, text: str) -> None:
        if not self._writer.is_code:
            if not text.strip():
                self._writer.flush()
                return
            if text[0] in " \t":
                self._writer.line_break()
        html = self._roff.html(text)
        self._say(html if self._writer.is_code else html.strip())

    def _say(self, html: str) -> None:
        """A line, as a heading, a term, a link or running text, whichever was announced."""
        if self._pending is not None:
            html, self._pending = self._pending(html), None
            if not html:
                return
        if self._link is not None:
            self._link[1].append(html)
        elif self._wants_term:
            self._wants_term = False
            (self._writer.term if self._adds_term else self._item)(html)
        else:
            self._writer.text(html)

    def _item(self, term: str) -> None:
        self._writer.item("dl", term)

    def _title(self, line: Line) -> None:
        words = [self._roff.plain(word) for word in line.arguments]
        if words and not self._writer.title:
            name, section, self._writer.manual_date = [*words, "", ""][:3]
            name = name.lower() if name.isupper() else name
            self._writer.title = f"{name}({section})" if section else name

    def _heading(self, level: int, line: Line) -> None:
        self._wants_term = False
        text = self._roff.plain(" ".join(line.arguments)).strip()
        if text:
            self._write_heading(level, text)
        else:
            self._pending = lambda html: self._write_heading(level, re.sub("<[^>]+>", "", html))

    def _write_heading(self, level: int, text: str) -> str:
        self._writer.heading(level, text.replace("<", "&lt;"))
        return ""

    def _paragraph(self, _line: Line) -> None:
        self._wants_term = False
        self._writer.end_list()

    def _tag_paragraph(self, line: Line) -> None:
        self._wants_term, self._adds_term = True, line.macro == "TQ"

    def _indent_paragraph(self, line: Line) -> None:
        self._wants_term = False
        words = line.arguments
        tag = self._roff.plain(words[0]).strip() if words else ""
        if not tag:
            self._writer.end_code()
            self._writer.flush()
        elif tag in _BULLETS:
            self._writer.item("ul")
        elif _NUMBER.fullmatch(tag):
            self._writer.item("ol")
        else:
            self._writer.item("dl", self._roff.html(words[0]))

    def _break(self, line: Line) -> None:
        if self._writer.is_code:
            if line.macro == "sp":
                self._writer.text("")
        elif line.macro == "sp":
            self._writer.flush()
        else:
            self._writer.line_break()

    def _font(self, line: Line) -> None:
        words = line.arguments
        name = line.macro.removeprefix("S").replace("M", "R")
        if not words:
            font = _FONT_NAMES.get(name[:1], "")
            self._pending = lambda html: f"<{font}>{html}</{font}>" if font and "<" not in html else html
        elif len(name) == 1:
            self._say(self._roff.html(" ".join(words), _FONT_NAMES[name]))
        else:
            fonts = [_FONT_NAMES[name[number % 2]] for number in range(len(words))]
            pieces = zip(words, fonts, strict=True)
            self._say("".join(self._roff.html(word, font) for word, font in pieces))

    def _begin_link(self, line: Line) -> None:
        words = line.arguments
        address = self._roff.plain(words[0]) if words else ""
        self._link = (f"mailto:{address}" if line.macro == "MT" else address, [])

    def _end_link(self, line: Line) -> None:
        if self._link is None:
            return
        address, words = self._link
        self._link = None
        target = address.replace('"', "%22").replace("&", "&amp;").replace("<", "%3C")
        shown = " ".join(words) or address.removeprefix("mailto:").replace("&", "&amp;").replace("<", "&lt;")
        self._say(f'<a href="{target}">{shown}</a>{self._roff.html(line.rest)}')

    def _synopsis(self, line: Line) -> None:
        self._writer.flush()
        self._say(self._roff.html(" ".join(line.arguments), "b"))

    def _option(self, line: Line) -> None:
        words = line.arguments
        shown = [self._roff.html(word, "i" if number else "b") for number, word in enumerate(words)]
        self._say(f"[{' '.join(shown)}]")

    def _reference(self, line: Line) -> None:
        name, section, rest = [*line.arguments, "", "", ""][:3]
        self._say(f"{self._roff.html(name, 'b')}({self._roff.html(section)}){self._roff.html(rest)}")
