"""Blocks of AsciiDoc as HTML."""

import re
from collections import Counter
from html import escape

from ragcrawler.conversion.markup.asciidoc.inline import InlineWriter
from ragcrawler.conversion.markup.asciidoc.tables import table_html
from ragcrawler.conversion.work import Work

_HEADING = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?$")
_ATTRIBUTES = re.compile(r"\[([^\[\]]*(?:\[[^\]]*\][^\[\]]*)*)\]$")
_ANCHOR = re.compile(r"\[\[([^,\]]+)[^\]]*\]\]$|\[#([\w-]+)[^\]]*\]$")
_TITLE = re.compile(r"\.([^\s.].*)$")
_FENCE = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|--|```[\w+-]*|[|,:!]={3,})$")
_ADMONITION = re.compile(r"(NOTE|TIP|WARNING|CAUTION|IMPORTANT): (.*)")
_ITEM = re.compile(r"\s*(\*{1,6}|-|\.{1,6}|\d{1,4}\.|[a-zA-Z]\.|<(?:\d{1,3}|\.)>)\s+(\S.*)")
_TERM = re.compile(r"\s*(\S.*?)(:{2,4}|;;)(?:\s+(.*))?$")
_MACRO = re.compile(r"(image|video|audio|toc|stem)::([^\[\s]*)\[(.*)\]$")
_CHECK = re.compile(r"\[([ xX*])\]\s+")
_CALLOUT = re.compile(r"\s*(?://|#|--|;;)?\s*<(?:\d{1,3}|\.)>(?=\s*(?:<\d|$))|\s*<!--\d{1,3}-->")
_KINDS = ("note", "tip", "warning", "caution", "important")
_STOPS = re.compile(r"(?:\[[^\]]*\]|-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|--|```\S*|[|,:!]={3,}|\+)$")
_MAX_DEPTH = 20
_LITERAL = ("source", "listing", "literal")


class BlockWriter:
    """Reads blocks from lines, and writes them."""

    def __init__(self, inline: InlineWriter, lost: Counter[str], work: Work) -> None:
        self._inline = inline
        self._lost = lost
        self._work = work

    def html(self, lines: list[str], depth: int = 0) -> str:
        """The blocks that stand in lines."""
        return "".join(_Reader(lines, self._inline, self._lost, self._work, depth).blocks())


class _Reader:
    def __init__(
        self, lines: list[str], inline: InlineWriter, lost: Counter[str], work: Work, depth: int
    ) -> None:
        self._lines = lines
        self._place = 0
        self._inline = inline
        self._lost = lost
        self._work = work
        self._depth = depth
        self._attributes: list[str] = []
        self._title = ""
        self._anchor = ""

    def blocks(self) -> list[str]:
        pieces: list[str] = []
        while self._place < len(self._lines):
            if not self._lines[self._place].strip():
                self._place += 1
                self._attributes, self._title = [], ""
                continue
            html = self._block(self._lines[self._place])
            if html is not None:
                pieces += [self._shown_title(), html]
                self._attributes, self._title = [], ""
        return pieces

    def _block(self, line: str) -> str | None:
        """One block; None for a line that says something of the next."""
        self._work.elements(1)
        if self._announce(line):
            return None
        for reads in (self._heading, self._fenced, self._macro, self._list, self._paragraph):
            html = reads(line)
            if html is not None:
                return html
        self._place += 1
        return ""

    def _announce(self, line: str) -> bool:
        anchor, attributes, title = _ANCHOR.match(line), _ATTRIBUTES.match(line), _TITLE.match(line)
        if anchor:
            self._anchor = anchor[1] or anchor[2]
        elif attributes:
            self._attributes += [part.strip() for part in attributes[1].split(",")]
        elif title and not _ITEM.match(line):
            self._title = title[1]
        else:
            return False
        self._place += 1
        return True

    def _shown_title(self) -> str:
        return f"<p><b>{self._inline.html(self._title)}</b></p>" if self._title else ""

    def _style(self) -> str:
        return (
            self._attributes[0].split("%")[0].split("#")[0].split(".")[0].lower() if self._attributes else ""
        )

    def _heading(self, line: str) -> str | None:
        found = _HEADING.match(line)
        if found is None or self._depth:
            return None
        self._place += 1
        level = min(len(found[1]), 6)
        anchor, self._anchor = (f' id="{escape(self._anchor)}"' if self._anchor else ""), ""
        return f"<h{level}{anchor}>{self._inline.html(found[2])}</h{level}>"

    def _fenced(self, line: str) -> str | None:
        found = _FENCE.match(line)
        if found is None:
            return None
        end = "```" if line.startswith("```") else line
        start = self._place + 1
        self._place = next(
            (place for place in range(start, len(self._lines)) if self._lines[place] == end), len(self._lines)
        )
        inside = self._lines[start : self._place]
        self._place += 1
        return self._delimited(line, inside)

    def _delimited(self, fence: str, inside: list[str]) -> str:
        style = self._style()
        if fence[0] in "|,:!" and fence[1] == "=":
            return table_html(inside, fence[0], self._attributes, self._cell)
        if fence[0] == "+":
            return self._raw(inside)
        if fence[0] in ".`" or (fence[0] == "-" and (len(fence) > len("--") or style in _LITERAL)):
            return self._code(inside, fence.removeprefix("```") if fence[0] == "`" else "")
        return self._styled("quote" if fence[0] == "_" else style, self._nested(inside))

    def _raw(self, lines: list[str]) -> str:
        if self._style() in ("stem", "latexmath", "asciimath"):
            return f'<div class="math notranslate">\\[{escape(chr(10).join(lines))}\\]</div>'
        self._lost["blocks of raw markup"] += 1
        return ""

    def _styled(self, style: str, html: str) -> str:
        if style in _KINDS:
            return self._admonition(style, html)
        return self._quote(html) if style in ("quote", "verse") else f"<div>{html}</div>"

    def _nested(self, lines: list[str]) -> str:
        if self._depth >= _MAX_DEPTH:
            return f"<pre>{escape(chr(10).join(lines))}</pre>"
        return "".join(_Reader(lines, self._inline, self._lost, self._work, self._depth + 1).blocks())

    def _cell(self, text: str, style: str) -> str:
        """The inside of a cell; of the style "a" it holds blocks."""
        self._work.elements(1)
        if style in ("l", "literal"):
            return f"<pre>{escape(text)}</pre>"
        if style == "a":
            return self._nested(text.split("\n"))
        return "<br>".join(self._inline.html(" ".join(part.split())) for part in text.split("\n\n"))

    def _code(self, lines: list[str], language: str) -> str:
        style = self._style()
        if style == "source" and len(self._attributes) > 1 and "=" not in self._attributes[1]:
            language = self._attributes[1]
        code = escape("\n".join(_CALLOUT.sub("", line) for line in lines).strip("\n"))
        language = escape(language.split("%")[0])
        return (
            f'<pre><code class="language-{language}">{code}</code></pre>'
            if language
            else f"<pre>{code}</pre>"
        )

    def _admonition(self, kind: str, html: str) -> str:
        title = self._inline.html(self._title) if self._title else kind.capitalize()
        self._title = ""
        return f'<div class="admonition {kind}"><p class="admonition-title">{title}</p>{html}</div>'

    def _quote(self, html: str) -> str:
        said = ", ".join(part for part in self._attributes[1:3] if part)
        by = f"<p>\u2014 {self._inline.html(said)}</p>" if said else ""
        return f"<blockquote>{html}{by}</blockquote>"

    def _macro(self, line: str) -> str | None:
        if line in ("'''", "<<<", "***", "---"):
            self._place += 1
            return ""
        found = _MACRO.match(line)
        if found is None:
            return None
        self._place += 1
        kind, target, attributes = found.groups()
        if kind in ("video", "audio"):
            return f'<p><a href="{escape(target)}">{escape(target)}</a></p>'
        return f"<p>{self._inline.picture(target, attributes)}</p>" if kind == "image" else ""

    def _list(self, line: str) -> str | None:
        if not _marker(line):
            return None
        return self._items([])

    def _items(self, around: list[str]) -> str:
        """The items with the marker that stands here; those of other markers are lists inside of them."""
        marker = _marker(self._lines[self._place])
        tag = "dl" if marker[0] in ":;" else "ol" if marker[0] in ".1<" else "ul"
        pieces = [f"<{tag}>"]
        while self._place < len(self._lines) and _marker(self._lines[self._place]) == marker:
            pieces.append(self._item(tag, [*around, marker]))
            self._skip_blanks()
        return "".join([*pieces, f"</{tag}>"])

    def _item(self, tag: str, markers: list[str]) -> str:
        self._work.elements(1)
        line = self._lines[self._place]
        self._place += 1
        if tag == "dl":
            term = _TERM.match(line)
            head, first = (term[1], term[3] or "") if term else (line, "")
            return f"<dt>{self._inline.html(head)}</dt><dd>{self._body(first, markers)}</dd>"
        item = _ITEM.match(line)
        text = _CHECK.sub("", item[2]) if item else line
        return f"<li>{self._body(text, markers)}</li>"

    def _body(self, first: str, markers: list[str]) -> str:
        """The text of an item, what is attached to it by `+`, and the lists inside of it."""
        if not first:
            self._skip_blanks(is_term=True)
        text = [first, *self._text_lines(is_item=True)]
        pieces = [self._inline.html(" ".join(part.strip() for part in text if part))]
        while self._place < len(self._lines):
            if self._lines[self._place] == "+":
                self._place += 1
                pieces.append(self._attached())
                continue
            self._skip_blanks()
            marker = _marker(self._lines[self._place]) if self._place < len(self._lines) else ""
            # callouts are a list of their own, neither inside of another nor around one
            if not marker or marker in markers or "<" in (marker, markers[-1]) or len(markers) >= _MAX_DEPTH:
                break
            pieces.append(self._items(markers))
        return "".join(pieces)

    def _attached(self) -> str:
        pieces: list[str] = []
        while self._place < len(self._lines):
            line = self._lines[self._place]
            html = self._block(line) if line.strip() and line != "+" else ""
            if html is None:
                continue
            pieces += [self._shown_title(), html]
            self._attributes, self._title = [], ""
            break
        return "".join(pieces)

    def _skip_blanks(self, *, is_term: bool = False) -> None:
        """Pass blank lines, if a list goes on behind them."""
        place = self._place
        while place < len(self._lines) and not self._lines[place].strip():
            place += 1
        if place < len(self._lines) and (is_term or _marker(self._lines[place])):
            self._place = place

    def _paragraph(self, line: str) -> str | None:
        is_literal = line[0] == " " or self._style() in _LITERAL
        lines = self._text_lines(is_item=False)
        if not lines:
            return None
        if is_literal:
            return self._code(lines, "")
        found = _ADMONITION.match(lines[0])
        kind = found[1].lower() if found else self._style()
        if found:
            lines[0] = found[2]
        text = self._inline.html(" ".join(part.removesuffix(" +") for part in lines))
        return self._styled(kind, f"<p>{text}</p>")

    def _text_lines(self, *, is_item: bool) -> list[str]:
        """The lines up to the next blank one, block or item."""
        start = self._place
        while self._place < len(self._lines):
            line = self._lines[self._place]
            is_first = self._place == start and not is_item
            if not line.strip() or (not is_first and (_STOPS.match(line) or (is_item and _marker(line)))):
                break
            self._place += 1
        return self._lines[start : self._place]


def _marker(line: str) -> str:
    """The marker of an item, its number made one; "" for other lines."""
    item = _ITEM.match(line)
    if item:
        marker = item[1]
        return "1" if marker[0].isalnum() else "<" if marker[0] == "<" else marker
    term = _TERM.match(line)
    return term[2] if term and not line.startswith(("image::", "[")) else ""
