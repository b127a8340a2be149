"""Lines of roff: comments, conditions, definitions and macros of the page's own are worked off here."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ragcrawler.conversion.markup.manual_page.escapes import Roff

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)\\[\"#].*$")
_REQUEST = re.compile(r"[.'][ \t]*([^\s\\\"]{1,30}|\\\"|\\[{}])?[ \t]?(.*)$")
_CONDITION = re.compile(
    r"(!?)(?:([nteo])(?=[\s\\])|('[^']*'[^']*'|\"[^\"]*\"[^\"]*\")|(\([^\s]*\)|[^\s{]+?(?=\\\{|\s|$)))[ \t]*"
)
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|([^\s"]\S*)')
_PARAMETER = re.compile(r"\\+\$(?:(\d)|([*@]))")
_MAX_LINES = 200_000
_MAX_EXPANSIONS = 2_000
_MAX_DEFINED_LINES = 500


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page.

    Attributes:
        macro: the name of the macro or request, "" for text.
        rest: what follows it as it is written, or the text.
    """

    macro: str
    rest: str

    @property
    def arguments(self) -> list[str]:
        """The arguments, quotation marks resolved."""
        return split_arguments(self.rest)


def split_arguments(text: str) -> list[str]:
    found = _ARGUMENT.finditer(text.replace("\\ ", "\u00a0"))
    return [each[1].replace('""', '"') if each[1] is not None else each[2] for each in found]


class Requests:
    """Reads the lines of a page; what roff itself does with them is done."""

    def __init__(self, text: str, roff: Roff, builtin: frozenset[str]) -> None:
        self._lines = deque(text.split("\n"))
        self._roff = roff
        self._builtin = builtin
        self._macros: dict[str, list[str]] = {}
        self._else: list[bool] = []
        self._expansions = 0

    def __iter__(self) -> Iterator[Line]:
        for _ in range(_MAX_LINES):
            if not self._lines:
                return
            line = self._next()
            if line is not None:
                yield line

    def raw(self, end: str) -> Iterator[str]:
        """The lines up to the request `end`, as they are written."""
        while self._lines:
            line = self._lines.popleft()
            if re.match(rf"[.'][ \t]*{end}(?:\s|$)", line):
                return
            yield line

    def _next(self) -> Line | None:
        text = self._lines.popleft()
        if text.startswith((".", "'")) and re.match(r"[.'][ \t]*\\[\"#]", text):
            return None
        text = _COMMENT.sub(r"\1", text)
        while text.endswith("\\") and not text.endswith("\\\\") and self._lines:
            text = text[:-1] + self._lines.popleft()
        found = _REQUEST.match(text)
        if found is None:
            return Line("", text.removesuffix("\\}") if text.endswith("\\}") else text)
        return self._request(found[1] or "", found[2].strip())

    def _request(self, name: str, rest: str) -> Line | None:
        if name in ("if", "ie", "el"):
            self._condition(name, rest)
        elif name in ("de", "de1", "am", "ig"):
            self._define(name, rest)
        elif name in ("ds", "ds1", "as"):
            key, _, value = rest.partition(" ")
            self._roff.define(key, value)
        elif name in self._macros and name not in self._builtin:
            self._expand(name, rest)
        elif name and name not in ("\\}", "\\{"):
            return Line(name.removesuffix("\\}"), rest.removesuffix("\\}"))
        return None

    def _condition(self, name: str, rest: str) -> None:
        if name == "el":
            holds = not self._else.pop() if self._else else False
        else:
            found = _CONDITION.match(rest)
            holds = _holds(found) if found else False
            rest = rest[found.end() :] if found else ""
            if name == "ie":
                self._else.append(holds)
        block = rest.startswith("\\{")
        rest = rest.removeprefix("\\{").removeprefix("\\").strip()
        if holds and rest:
            self._lines.appendleft(rest)
        elif not holds and block:
            self._skip(rest)

    def _skip(self, rest: str) -> None:
        depth = 1 + rest.count("\\{") - rest.count("\\}")
        while depth > 0 and self._lines:
            line = self._lines.popleft()
            depth += line.count("\\{") - line.count("\\}")

    def _define(self, name: str, rest: str) -> None:
        words = rest.split()
        end = words[0] if name == "ig" and words else words[1] if len(words) > 1 else "."
        body = list(self.raw(re.escape(end) if end != "." else r"\."))
        if name in ("de", "de1") and words and len(body) <= _MAX_DEFINED_LINES:
            self._macros[words[0]] = body

    def _expand(self, name: str, rest: str) -> None:
        """Put the lines of a macro of the page's own before those that follow."""
        self._expansions += 1
        if self._expansions > _MAX_EXPANSIONS:
            return
        arguments = split_arguments(rest)

        def fill(found: re.Match[str]) -> str:
            if found[2]:
                return " ".join(arguments)
            number = int(found[1])
            return arguments[number - 1] if 1 <= number <= len(arguments) else ""

        lines = [_PARAMETER.sub(fill, line).replace("\\\\", "\\") for line in self._macros[name]]
        self._lines.extendleft(reversed(lines))


def _holds(found: re.Match[str]) -> bool:
    """Whether a condition holds where pages are shown as text."""
    negated, mode, strings, expression = found.groups()
    if mode:
        holds = mode in "no"
    elif strings:
        _, left, right, *_ = strings.split(strings[0])
        holds = left == right
    else:
        holds = expression in ("\\n(.g", "\\n[.g]", "\\n(.g>0", "1")
    return holds != bool(negated)
