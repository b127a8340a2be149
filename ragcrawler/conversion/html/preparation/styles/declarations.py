"""The declarations of a rule or of a style attribute, as far as they decide whether text is seen."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import tinycss2

_MAX_CHARACTERS = 500_000
# Every declaration that hides holds one of these, unless it is written with escapes or comments.
_HINTS = ("none", "hidden", "collapse", "opacity", "inset", "rect", "scale", "\\", "/*")
_SMALL_OR_FAR = re.compile(r"-\s*\d{3}|size\s*:\s*[01]|width\s*:\s*[01]|height\s*:\s*[01]")
_PROPERTIES = """
display visibility opacity font-size left right top bottom text-indent clip clip-path transform overflow width
height max-width max-height color background background-color background-clip -webkit-background-clip
"""
PROPERTIES = frozenset(_PROPERTIES.split())
"""The properties that decide whether text is seen."""

# What needs no tokens: values without strings, escapes, comments, or brackets within brackets.
_VALUE = r"(?:[^;()!\"'\\{}\[\]@<>/]|/(?!\*)|\([^;()\"'\\{}\[\]/]*+\))*"
_PLAIN = re.compile(
    rf"\s*+(?:(-?[a-z_][\w-]*+)\s*+:({_VALUE})(!\s*+important\s*+)?)?(?:;|\Z)", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class Declared:
    """A value, and its weight in the cascade but for the selector's (CSS Cascading Level 4, section 6.1)."""

    value: str
    is_important: bool


def may_hide(text: str) -> bool:
    """Whether a block is worth being read: it says more often yes than it has to. Colours do not count."""
    text = text.lower()
    return any(map(text.__contains__, _HINTS)) or _SMALL_OR_FAR.search(text) is not None


@lru_cache(maxsize=4096)
def declarations(text: str) -> Mapping[str, Declared]:
    """The `PROPERTIES` that a block or a style attribute declares."""
    found: dict[str, Declared] = {}
    text = text[:_MAX_CHARACTERS]
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
        if name in PROPERTIES:
            declared.append((name, Declared(" ".join(found[2].lower().split()), found[3] is not None)))
    return declared


def _read_tokens(text: str) -> Iterator[tuple[str, Declared]]:
    nodes: list[Any] = tinycss2.parse_blocks_contents(text)
    for node in nodes:
        if node.type == "declaration" and node.lower_name in PROPERTIES:
            value = " ".join(tinycss2.serialize(node.value).lower().split())
            yield node.lower_name, Declared(value, node.important)
