"""The rules of a page's own style elements, as far as they can hide text (CSS Syntax Level 3).

Pages carry hundreds of kilobytes of style: blocks are told apart by their braces, and only what may matter is
parsed.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from lxml import html

from ragcrawler.conversion.html.preparation.styles.declarations import Declared, declarations, may_hide
from ragcrawler.conversion.html.preparation.styles.selectors import Selector, read_selectors

_MAX_CHARACTERS = 500_000  # of a page's style sheets; what is behind them is not read
_MAX_NESTING = 8
_DESKTOP_PIXELS = 1280
_WIDTH = re.compile(r"\(\s*(min|max)-width\s*:\s*(\d{1,5})(?:\.\d+)?px\s*\)")
_BRACES = re.compile(r"/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|\\.|\{|\}", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_STATEMENT = re.compile(r"@(?:import|charset|namespace|layer)\b[^;{]*;", re.IGNORECASE)
# Looks behind its first letter, not before it: so the engine skips all text without one of these letters.
_COLOUR = re.compile(r"(c(?<![-\w]c)olor|b(?<![-\w]b)ackground(?:-color)?)\s*:\s*([^;!}]*)")
_NAME = re.compile(r"[.#]([\w-]+)")


@dataclass(frozen=True)
class StyleRule:
    """A block with its selectors, read when they are asked for.

    Attributes:
        prelude: the selectors as written.
        body: the declarations as written.
        order: of the block in the page.
        applies: whether it does on a desktop's screen; else it may on another.
    """

    prelude: str
    body: str
    order: int
    applies: bool

    @property
    def may_hide(self) -> bool:
        """Whether it is worth being read: it says more often yes than it has to."""
        return may_hide(self.body)

    @cached_property
    def colours(self) -> list[tuple[str, str]]:
        """(property, value) of the colours that are declared, by a look at the text."""
        return [(name, value.strip()) for name, value in _COLOUR.findall(self.body.lower())]

    def may_match(self, names: frozenset[str]) -> bool:
        """Whether one of the selectors wants only classes and ids that are on the page."""
        prelude = self.prelude
        if "(" in prelude or "[" in prelude or "\\" in prelude:
            return True
        return any(names.issuperset(_NAME.findall(part)) for part in prelude.split(","))

    def may_name(self, names: AbstractSet[str]) -> bool:
        """Whether a selector may want one of some classes and ids."""
        return "\\" in self.prelude or not names.isdisjoint(_NAME.findall(self.prelude))

    def may_declare(self, properties: AbstractSet[str]) -> bool:
        """Whether it may declare one of some properties, by a look at the text."""
        body = self.body.lower()
        return "\\" in body or any(name in body for name in properties)

    @property
    def selectors(self) -> tuple[Selector, ...]:
        """Those of elements; none where one cannot be read, as in a browser."""
        return read_selectors(self.prelude)

    @cached_property
    def declared(self) -> Mapping[str, Declared]:
        """Property to value."""
        return declarations(self.body)


def read_style_rules(root: html.HtmlElement) -> list[StyleRule]:
    """The rules of all style elements, in order."""
    rules: list[StyleRule] = []
    room = _MAX_CHARACTERS
    for element in root.iter("style"):
        text = (element.text or "")[:room]
        room -= len(text)
        _add_rules(rules, text, applies=_is_for_screens(element.get("media", "")), level=0)
    return rules


def _add_rules(rules: list[StyleRule], text: str, *, applies: bool, level: int) -> None:
    for prelude, body in _blocks(text):
        if not prelude.startswith("@"):
            rules.append(StyleRule(prelude, body, len(rules), applies))
        elif level < _MAX_NESTING and (holds := _holds(prelude)) is not None:
            _add_rules(rules, body, applies=applies and holds, level=level + 1)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """(what stands before, what stands inside) of each pair of braces that is in no other."""
    depth = begin = inside = 0
    for found in _BRACES.finditer(text):
        if found.group() == "{":
            inside = inside if depth else found.end()
            depth += 1
        elif found.group() == "}":
            depth -= depth > 0
            if not depth:
                if inside > begin:
                    yield _prelude(text[begin : inside - 1]), text[inside : found.start()]
                begin = found.end()
    if depth:
        yield _prelude(text[begin : inside - 1]), text[inside:]


def _prelude(text: str) -> str:
    return _STATEMENT.sub("", _COMMENT.sub(" ", text) if "/*" in text else text).strip()


def _holds(prelude: str) -> bool | None:
    """Whether the rules inside an at-rule are those of a desktop's screen; None where it holds no rules."""
    name, _, query = prelude[1:].replace("(", " (", 1).partition(" ")
    if name.lower() in ("layer", "supports"):
        return True
    return _is_for_screens(query) if name.lower() == "media" else None


def _is_for_screens(query: str) -> bool:
    query = query.lower()
    for bound, pixels in _WIDTH.findall(query):
        if (bound == "min") != (int(pixels) <= _DESKTOP_PIXELS):
            return False
    media = _WIDTH.sub("", query).replace("only", "").replace("and", "").strip()
    return media in ("", "all", "screen")
