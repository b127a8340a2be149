"""The rules of a page's own style elements, as far as they can hide text (CSS Syntax Level 3)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import tinycss2
from cssselect import SelectorError, parse
from cssselect.parser import Selector
from lxml import html

_MAX_CHARACTERS = 500_000  # of a page's style sheets; what is behind them is not read
_MAX_SELECTOR_CHARACTERS = 1_000
_DESKTOP_PIXELS = 1280
_WIDTH = re.compile(r"\(\s*(min|max)-width\s*:\s*(\d{1,5})(?:\.\d+)?px\s*\)")

_PROPERTIES = """
display visibility opacity font-size left right top bottom text-indent clip clip-path transform overflow width
height max-width max-height color background background-color background-clip -webkit-background-clip
"""
PROPERTIES = frozenset(_PROPERTIES.split())
"""The properties that decide whether text is seen."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A value with its weight in the cascade: the greater one wins (CSS Cascading Level 4, section 6.1)."""

    value: str
    weight: tuple[bool, bool, tuple[int, int, int], int]


@dataclass(frozen=True, slots=True)
class StyleRule:
    """One selector and what it declares.

    Attributes:
        selector: parsed.
        declared: property to value.
        applies: whether it does on a desktop's screen; else it may on another.
    """

    selector: Selector
    declared: dict[str, Declared]
    applies: bool


def read_style_rules(root: html.HtmlElement) -> list[StyleRule]:
    """The rules of all style elements that declare one of `PROPERTIES`, in order."""
    rules: list[StyleRule] = []
    room = _MAX_CHARACTERS
    for element in root.iter("style"):
        text = (element.text or "")[:room]
        room -= len(text)
        nodes = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        rules.extend(_rules(nodes, len(rules), applies=_is_for_screens(element.get("media", ""))))
    return rules


@lru_cache(maxsize=4096)
def inline_declarations(style: str) -> dict[str, Declared]:
    """What a style attribute declares."""
    nodes = tinycss2.parse_blocks_contents(style[:_MAX_CHARACTERS])
    return _declared(nodes, (0, 0, 0), 0, is_inline=True)


def _rules(nodes: list[Any], first: int, *, applies: bool) -> Iterator[StyleRule]:
    for order, node in enumerate(nodes, first):
        if node.type == "qualified-rule":
            yield from _of_rule(node, order, applies=applies)
        elif node.type == "at-rule" and node.content is not None:
            inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
            yield from _rules(inner, order, applies=applies and _holds(node))


def _of_rule(node: Any, order: int, *, applies: bool) -> Iterator[StyleRule]:
    contents = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
    if not any(each.type == "declaration" and each.lower_name in PROPERTIES for each in contents):
        return
    prelude = tinycss2.serialize(node.prelude)
    if len(prelude) > _MAX_SELECTOR_CHARACTERS:
        return
    try:
        selectors = parse(prelude)
    except SelectorError:
        return  # a selector that no browser knows either, or one of a newer standard
    for selector in selectors:
        if selector.pseudo_element is None:
            yield StyleRule(selector, _declared(contents, selector.specificity(), order), applies)


def _declared(
    nodes: list[Any], specificity: tuple[int, int, int], order: int, *, is_inline: bool = False
) -> dict[str, Declared]:
    found: dict[str, Declared] = {}
    for node in nodes:
        if node.type == "declaration" and node.lower_name in PROPERTIES:
            value = " ".join(tinycss2.serialize(node.value).lower().split())
            made = Declared(value, (node.important, is_inline, specificity, order))
            known = found.get(node.lower_name)
            found[node.lower_name] = made if known is None or made.weight >= known.weight else known
    return found


def _holds(node: Any) -> bool:
    """Whether the rules inside an at-rule are those of a desktop's screen."""
    if node.lower_at_keyword in ("layer", "supports"):
        return True
    return node.lower_at_keyword == "media" and _is_for_screens(tinycss2.serialize(node.prelude))


def _is_for_screens(query: str) -> bool:
    query = query.lower()
    for bound, pixels in _WIDTH.findall(query):
        if (bound == "min") != (int(pixels) <= _DESKTOP_PIXELS):
            return False
    media = _WIDTH.sub("", query).replace("only", "").replace("and", "").strip()
    return media in ("", "all", "screen")
