"""MDX, Markdown with components, as Markdown: words stay, each on its line, and what is program goes.

The tags of components go, and imports, exports and comments. What stands between tags stays, with the
attributes that a reader sees. Elements of HTML stay as they are, as in Markdown.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.escaping import escape_inline
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.text.markdown import markdown_document

# Quantifiers are possessive: whatever the text, it is read in a time that grows with its length.
_STRING = r"(?:\"[^\"]*+\"|'[^']*+')"
_BRACES = r"(?:\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+\})"
_NAME = r"[A-Za-z_$][\w:.$-]*+"
_ATTRIBUTES = rf"(?:\s++(?:{_NAME}(?:\s*+=\s*+(?:{_STRING}|{_BRACES}))?+|{_BRACES}))*+"
_TOKEN = re.compile(
    r"(?<!`)(?P<ticks>`++)(?:[^`\n]++|\n(?![ \t]*+\n)|(?!(?P=ticks)(?!`))`++)*+(?P=ticks)(?!`)"
    r"|\\[<{`]"
    r"|(?P<comment>\{[ \t]*+/\*)"
    r"|(?P<space>\{[ \t]*+(?P<quote>[\"'])[ \t]*+(?P=quote)[ \t]*+\})"
    rf"|<(?P<element>[A-Z][\w.]*+)(?P<given>{_ATTRIBUTES})\s*+>(?P<words>[^<>{{}}`\n]++)</(?P=element)\s*+>"
    rf"|<(?P<close>/)?+(?P<name>[A-Za-z][\w.-]*+)?+(?P<attributes>{_ATTRIBUTES})\s*+(?P<empty>/)?+>"
)
_END_OF_COMMENT = re.compile(r"\*/(?:\s*+\})?+")
_CLOSING = re.compile(r"</([A-Za-z][\w.-]*+)?+\s*+>")
_ATTRIBUTE = re.compile(rf"({_NAME})\s*+=\s*+({_STRING}|{_BRACES})|{_BRACES}")
_TEXT = re.compile(r"(?:\{\s*)?([\"'`])(.*)\1(?:\s*\})?", re.DOTALL)
_READ = ("title", "label", "heading", "header", "caption", "alt", "summary", "description", "text")
_NEVER_READ = ("class", "style", "src", "href", "to", "d", "points", "sizes", "viewbox", "values")
_SENTENCE = re.compile(r"[^\W\d_]{2,}\s+[^\W\d_]{2,}")
_FENCE = re.compile(r"[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
# Prose may begin with these words too, but not go on so.
_STATEMENT = re.compile(
    r"import\s*(?:[\"'{*]|(?:type\s+)?(?:[\w$]+\s*,\s*)?(?:[\w$]+\s+from\s*[\"']|[{*]))"
    r"|export\s*(?:[{*]|\s(?:default|const|let|var|function|async|class|type|interface)\b)"
)
_MOST_LINES_OF_A_STATEMENT = 200
_MOST_LEVELS = 100


def convert_mdx(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """The text without what is program; title, metadata and links are those of Markdown.

    Raises:
        ConversionError: `empty` where no words are left.
    """
    reader = _Reader()
    converted = markdown_document(text, url, "text/mdx", rewrite=reader.read)
    metadata = replace(
        converted.metadata,
        converter="mdx",
        hidden_characters=converted.metadata.hidden_characters + reader.comment_characters,
        warnings=(*converted.metadata.warnings, *reader.warnings),
    )
    return replace(converted, metadata=metadata)


@dataclass(slots=True)
class _Element:
    """An element that is open, `indent` deep in the Markdown; its children stand `cut` deeper in the file."""

    name: str
    indent: int
    cut: int | None = None

    def cut_of(self, indent: int) -> int:
        """How much goes of the indent of a child; the first child says it for all."""
        if self.cut is None:
            self.cut = max(indent - self.indent, 0)
        return min(indent, self.cut)


@dataclass(slots=True)
class _Reader:
    """Reads one text.

    Attributes:
        exported_lines: left out: they may hold texts.
        comment_characters: left out.
    """

    exported_lines: int = 0
    comment_characters: int = 0
    _closed: frozenset[str] = frozenset()
    _opening: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    _closing: dict[int, list[str]] = field(default_factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was left out, one sentence each."""
        count = self.exported_lines
        return (f"left out: lines of exports, which are program ({count})",) if count else ()

    def read(self, text: str) -> str:
        """The text with as many lines."""
        self._closed = frozenset(name or "" for name in _CLOSING.findall(text))
        lines: list[str] = []
        for kind, part in _parts(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
            if kind == "statement":
                is_export = part[0].startswith("export")
                self.exported_lines += sum(bool(line.strip()) for line in part) if is_export else 0
                lines += [""] * len(part)
            elif kind == "code":
                lines += part
            else:
                prose = self._prose("\n".join(part), len(lines)).split("\n")
                lines += [line if line.strip() else "" for line in prose]
        return "\n".join(self._outdented(lines))

    def _prose(self, text: str, first_line: int) -> str:
        written, at, line = [], 0, first_line
        while found := _TOKEN.search(text, at):
            start, end = found.span()
            before = text[at:start]
            line += before.count("\n")
            is_alone = not before.rpartition("\n")[2].strip() and ("\n" in before or not at)
            written.append(before)
            if found["comment"]:
                ending = _END_OF_COMMENT.search(text, end)
                if ending is None:  # none ends any more
                    break
                end = ending.end()
                self.comment_characters += end - start
                written.append("\n" * text.count("\n", start, end))
            else:
                indent = len(before.rpartition("\n")[2]) if is_alone else None
                written.append(self._token(found, line, indent))
            line += text.count("\n", start, end)
            at = end
        return "".join(written) + text[at if found is None else found.start() :]

    def _token(self, found: re.Match[str], line: int, indent: int | None) -> str:
        """What is written for a token, with as many line ends."""
        if found["space"]:
            return " "
        if found["element"]:
            return _linked(found["words"], found["given"]) + "\n" * found["given"].count("\n")
        if found["attributes"] is None:  # code, or escaped
            return found[0]
        name = found["name"] or ""
        if not found["empty"] and name not in self._closed:
            return found[0]
        self._note(found, line, indent)
        if name and not name[0].isupper():
            return found[0]
        seen = _seen(found["attributes"], is_alone=indent is not None) if not found["close"] else ""
        return seen + "\n" * found[0].count("\n")

    def _note(self, found: re.Match[str], line: int, indent: int | None) -> None:
        """Remember where elements begin that have lines of their own."""
        name = found["name"] or ""
        if found["close"]:
            opened = self._opening.get(line, [])
            if opened and opened[-1][0] == name:
                opened.pop()
            else:
                self._closing.setdefault(line, []).append(name)
        elif indent is not None and not found["empty"]:
            self._opening.setdefault(line + found[0].count("\n"), []).append((name, indent))

    def _outdented(self, lines: list[str]) -> Iterator[str]:
        """Children as deep as their component, so that they are no code by indentation."""
        open_elements: list[_Element] = []
        for number, line in enumerate(lines):
            for name in self._closing.get(number, ()):
                _close(open_elements, name)
            outer = open_elements[-1] if open_elements else None
            yield _outdented(line, outer)
            for name, indent in self._opening.get(number, ())[: _MOST_LEVELS - len(open_elements)]:
                cut = outer.cut_of(indent) if outer else 0
                open_elements.append(_Element(name, indent - cut))


def _outdented(line: str, outer: _Element | None) -> str:
    if outer is None or not line.strip():
        return line
    return line[outer.cut_of(len(line) - len(line.lstrip(" \t"))) :]


def _close(open_elements: list[_Element], name: str) -> None:
    names = [each.name for each in open_elements]
    if name in names:
        while open_elements.pop().name != name:
            pass


def _parts(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Prose, fenced code and statements by lines, in their order."""
    depths = [*accumulate(sum(map(line.count, "{[(")) - sum(map(line.count, "}])")) for line in lines)]
    start = at = 0
    while at < len(lines):
        is_first = at == start or not lines[at - 1].strip()
        if fence := _FENCE.match(lines[at]):
            kind, end = "code", _end_of_code(lines, at + 1, fence[1])
        elif is_first and _STATEMENT.match(lines[at]):
            kind, end = "statement", _end_of_statement(lines, depths, at)
        else:
            at += 1
            continue
        if start < at:
            yield "prose", lines[start:at]
        yield kind, lines[at:end]
        start = at = end
    if start < at:
        yield "prose", lines[start:]


def _end_of_code(lines: list[str], at: int, fence: str) -> int:
    end = re.compile(rf"[ \t>]*{re.escape(fence)}{fence[0]}*[ \t]*")
    return next((number + 1 for number in range(at, len(lines)) if end.fullmatch(lines[number])), len(lines))


def _end_of_statement(lines: list[str], depths: list[int], at: int) -> int:
    """The first blank line outside of all brackets; where they do not match, the first blank line."""
    blank = [n for n in range(at, min(len(lines), at + _MOST_LINES_OF_A_STATEMENT)) if not lines[n].strip()]
    outside = depths[at - 1] if at else 0
    return next((n for n in blank if depths[n] <= outside), blank[0] if blank else len(lines))


def _values(attributes: str) -> dict[str, str]:
    """The attributes whose value is a text."""
    found = ((each[1], _TEXT.fullmatch(each[2])) for each in _ATTRIBUTE.finditer(attributes) if each[1])
    return {name: " ".join(text[2].split()) for name, text in found if text and "${" not in text[2]}


def _seen(attributes: str, *, is_alone: bool) -> str:
    """What a reader sees of a tag: its picture, its label, a link."""
    values = _values(attributes)
    if "src" in values and "alt" in values:
        return f"![{escape_inline(values['alt'])}]({values['src']})"
    texts = {
        value: None
        for name, value in values.items()
        if value and (name in _READ or (_SENTENCE.search(value) and not _is_never_read(name)))
    }
    words = escape_inline(" \u2013 ".join(texts))
    if not words:
        return ""
    target = values.get("href") or values.get("to")
    words = f"[{words}]({target})" if target else words
    return f"**{words}**" if is_alone else words


def _is_never_read(name: str) -> bool:
    return name.lower().startswith(_NEVER_READ)


def _linked(words: str, attributes: str) -> str:
    """The words of an element in one line, with where it leads and what else a reader sees of it."""
    values = _values(attributes)
    target = values.pop("href", "") or values.pop("to", "")
    seen = "" if target else _seen(attributes, is_alone=False)
    text = f"[{words}]({target})" if target else words
    return f"{seen} \u2013 {text}" if seen else text
