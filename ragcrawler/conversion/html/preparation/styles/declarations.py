"""The declarations of a rule or of a style attribute, as far as they decide whether text is seen."""

import re
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import tinycss2

# Every declaration that hides holds one of these, unless it is written with escapes or comments.
_HINTS = ("none", "hidden", "collapse", "opacity", "inset", "rect", "scale", "var(", "\\", "/*")
_SMALL_OR_FAR = re.compile(r"-\s*\d{3}|size\s*:\s*[01.]|width\s*:\s*[01]|height\s*:\s*[01]")
_PROPERTIES = """
display visibility content-visibility opacity font-size left right top bottom text-indent clip clip-path
transform overflow width height max-width max-height color background background-color background-clip
-webkit-background-clip
"""
PROPERTIES = frozenset(_PROPERTIES.split())
"""The properties that decide whether text is seen."""
_LONG_NUMBER = re.compile(r"(\d{99})\d+")  # Python reads none of thousands of digits

# What needs no tokens: values without strings, escapes, comments, or brackets within brackets.
_VALUE = r"(?:[^;()!\"'\\{}\[\]@<>/]|/(?!\*)|\([^;()\"'\\{}\[\]/]*+\))*"
_PLAIN = re.compile(
    rf"\s*+(?:(-{{0,2}}[a-z_][\w-]*+)\s*+:({_VALUE})(!\s*+important\s*+)?)?(?:;|\Z)", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class Declared:
    """A value, and its weight in the cascade but for the selector's (CSS Cascading Level 4, section 6.1)."""

    value: str
    is_important: bool


Weight = tuple[bool, bool, tuple[int, int, int], int]
"""Of a declaration in the cascade: whether it is important, inline; the selector's specificity; its place."""
INLINE: tuple[bool, tuple[int, int, int], int] = (True, (0, 0, 0), 0)


def may_hide(text: str) -> bool:
    """Whether a block is worth being read: it says more often yes than it has to. Colours do not count."""
    text = text.lower()
    return any(map(text.__contains__, _HINTS)) or _SMALL_OR_FAR.search(text) is not None


@lru_cache(maxsize=4096)
def declarations(text: str) -> Mapping[str, Declared]:
    """The `PROPERTIES` that a block or a style attribute declares, and custom properties."""
    found: dict[str, Declared] = {}
    plain = _read_plain(text)
    for name, declared in _read_tokens(text) if plain is None else plain:
        known = found.get(name)
        if known is None or declared.is_important or not known.is_important:
            found[name] = declared
    return found


def _read_plain(text: str) -> list[tuple[str, Declared]] | None:
    """None where it takes tokens to read the text."""
    declared = []
    position = 0
    while position < len(text):
        found = _PLAIN.match(text, position)
        if found is None:
            return None
        position = found.end()
        name = (found[1] or "").lower()
        if name in PROPERTIES or name.startswith("--"):
            declared.append((name, Declared(" ".join(found[2].lower().split()), found[3] is not None)))
    return declared


def _read_tokens(text: str) -> Iterator[tuple[str, Declared]]:
    nodes: list[Any] = tinycss2.parse_blocks_contents(short_numbers(text))
    for node in nodes:
        if node.type == "declaration" and (node.lower_name in PROPERTIES or node.lower_name.startswith("--")):
            value = " ".join(tinycss2.serialize(node.value).lower().split())
            yield node.lower_name, Declared(value, node.important)


def short_numbers(text: str) -> str:
    """The text with numbers that a tokenizer can read."""
    return _LONG_NUMBER.sub(r"\1", text)


def merge(
    found: MutableMapping[str, tuple[Weight, str]],
    more: Mapping[str, Declared],
    is_inline: bool,
    specificity: tuple[int, int, int],
    order: int,
) -> None:
    """Let declarations win over those that are found already and weigh less."""
    for name, declared in more.items():
        weight = (declared.is_important, is_inline, specificity, order)
        if name not in found or weight >= found[name][0]:
            found[name] = (weight, declared.value)
