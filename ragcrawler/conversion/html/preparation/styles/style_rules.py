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
from ragcrawler.conversion.html.preparation.styles.selectors import split_selectors
from ragcrawler.conversion.html.preparation.styles.steps import Steps, StyleError

_MAX_NESTING = 30  # of rules, and at-rules, in others
_CHARACTERS_A_STEP = 10
_STEPS_A_RULE = 50  # their memory, too
_DESKTOP_PIXELS = 1280
_WIDTH = re.compile(r"\(\s*(min|max)-width\s*:\s*(\d{1,5})(?:\.\d+)?px\s*\)")
_BRACES = re.compile(r"/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|\\.|\{|\}", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_STATEMENT = re.compile(r"@(?:import|charset|namespace|layer)\b[^;{]*;", re.IGNORECASE)
# Looks behind its first letter, not before it: so the engine skips all text without one of these letters.
_COLOUR = re.compile(r"(c(?<![-\w]c)olor|b(?<![-\w]b)ackground(?:-color)?)\s*:\s*([^;!}]*)")
_NAME = re.compile(r"[.#][\w-]+")
_BRACKETS = re.compile(
    r"\[(?:[^\[\]\"'\\]|\"[^\"\\]*\"|'[^'\\]*')*\]|\((?:[^()\"'\\]|\"[^\"\\]*\"|'[^'\\]*')*\)"
)
_SIGNS = re.compile(r"[(\[\"'\\]")
_OWN = re.compile(r"([^\s>+~,]+)\s*(?:,|\Z)")  # what a selector says of the element itself
_VARIABLE = re.compile(r"--[\w-]+\s*:")
_SIMPLE = re.compile(
    r"(?:[.#][\w-]+)+"
)  # selectors that stay what they are with others written behind or before
_STRING = r"\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?|\\."
_AMPERSAND = re.compile(rf"{_STRING}|&", re.DOTALL)
_ENDS = re.compile(rf"{_STRING}|;", re.DOTALL)


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
        bare = self._bare
        return bare is None or any(names.issuperset(_NAME.findall(part)) for part in bare.split(","))

    def may_mean(self, names: AbstractSet[str]) -> bool:
        """Whether an element with only these classes and ids may be meant, by a look at the text."""
        bare = self._bare
        return bare is None or any(names >= set(_NAME.findall(own)) for own in _OWN.findall(bare))

    @cached_property
    def _bare(self) -> str | None:
        """The prelude without what stands in brackets; None where that takes more than a look."""
        bare = self.prelude
        if "(" in bare or "[" in bare:
            bare = _BRACKETS.sub(":", bare)
        return None if _SIGNS.search(bare) else bare

    def may_name(self, names: AbstractSet[str]) -> bool:
        """Whether a selector may want one of some classes and ids."""
        return "\\" in self.prelude or not names.isdisjoint(_NAME.findall(self.prelude))

    def may_declare(self, properties: AbstractSet[str]) -> bool:
        """Whether it may declare one of some properties, by a look at the text."""
        body = self.body.lower()
        return "\\" in body or any(name in body for name in properties)

    @property
    def declares_variables(self) -> bool:
        """Whether it declares custom properties, by a look at the text."""
        return "--" in self.body and _VARIABLE.search(self.body) is not None

    @cached_property
    def declared(self) -> Mapping[str, Declared]:
        """Property to value."""
        return declarations(self.body)


def read_style_rules(root: html.HtmlElement, steps: Steps) -> list[StyleRule]:
    """The rules of all style elements, in order."""
    rules = _Rules(steps)
    for element in root.iter("style"):
        text = element.text or ""
        steps.take(len(text) // _CHARACTERS_A_STEP)
        rules.add(text, _is_for_screens(element.get("media", "")))
    return rules.found


class _Rules:
    """Reads rules, and those that are nested in others (CSS Nesting Level 1)."""

    def __init__(self, steps: Steps) -> None:
        self.found: list[StyleRule] = []
        self._steps = steps

    def add(self, text: str, applies: bool, outer: str = "", level: int = 0) -> None:
        """Read what stands in a sheet, or between braces: of an at-rule, of a rule with these selectors."""
        if level > _MAX_NESTING:
            raise StyleError(f"the page's style sheets nest more than {_MAX_NESTING} levels deep")
        for before, body in _blocks(text):
            declared, prelude = _declarations_before(before, is_end=body is None) if outer else ("", before)
            if declared:
                self._add_rule(outer, declared, applies)
            if body is None:
                continue
            if prelude.startswith("@"):
                if (holds := _holds(prelude)) is not None:
                    self.add(body, applies and holds, outer, level + 1)
            else:
                self._add_nested(self._within(outer, prelude), body, applies, level)

    def _add_nested(self, prelude: str, body: str, applies: bool, level: int) -> None:
        if "{" in body:
            self.add(body, applies, prelude, level + 1)
        else:
            self._add_rule(prelude, body, applies)

    def _add_rule(self, prelude: str, body: str, applies: bool) -> None:
        self._steps.take(_STEPS_A_RULE)
        self.found.append(StyleRule(prelude, body, len(self.found), applies))

    def _within(self, outer: str, prelude: str) -> str:
        """The selectors of a rule in another one, as they would stand alone."""
        if not outer:
            return prelude
        own = outer if _SIMPLE.fullmatch(outer) else f":is({outer})"
        self._steps.take(len(prelude) + (prelude.count("&") + prelude.count(",") + 1) * len(own))
        return ", ".join(_with_own(part, own) for part in split_selectors(prelude))


def _with_own(selector: str, own: str) -> str:
    """A nested selector with the outer one in place of `&`, or before it where there is no `&`."""
    replaced = _AMPERSAND.sub(lambda found: own if found[0] == "&" else found[0], selector)
    return replaced if replaced != selector else f"{own} {selector}"


def _declarations_before(text: str, *, is_end: bool) -> tuple[str, str]:
    """(declarations, prelude) of what stands between two rules in another."""
    if is_end:
        return text, ""
    ends = [found.end() for found in _ENDS.finditer(text) if found[0] == ";"]
    end = ends[-1] if ends else 0
    return text[:end].strip(), text[end:].strip()


def _blocks(text: str) -> Iterator[tuple[str, str | None]]:
    """(what is before, what is inside) of each pair of braces that is in no other; None behind the last."""
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
    else:
        yield _prelude(text[begin:]), None


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
