"""Roles that docutils does not know: mostly those of Sphinx, and of projects that extend it."""

import re
from typing import Any

from docutils import nodes
from docutils.parsers.rst import roles
from docutils.parsers.rst.states import Inliner
from docutils.utils import unescape

_TITLED = re.compile(r"(.+?)\s*(?<!\\)<([^<>]*)>\s*", re.DOTALL)
# What is set as text; any other unknown role names something of a program.
_AS_TEXT = {"ref", "doc", "term", "any", "numref", "eq", "abbr", "guilabel", "menuselection", "dfn", "index"}
_AS_TEXT |= {
    "sub-ref",
    "issue",
    "pull",
    "pr",
    "user",
    "download",
    "token",
    "keyword",
    "strike",
    "bdg",
    "octicon",
}
_STRONG = {"command", "program", "guilabel", "menuselection", "dfn"}
_CITATIONS = {"cite", "footcite", "citep", "citet"}


# The time for a paragraph grows with the square of these in it; long ones have a few dozen.
_MARKUP = "*`|_[:@"
MAX_MARKUP = 2_000


def tolerant_inliner(left_as_text: list[int]) -> Inliner:
    """An inliner that reads roles which nobody declared by their text.

    It is no subclass: docutils builds its patterns of what the class itself holds.

    Args:
        left_as_text: receives the lines of paragraphs with so much markup that it stays as it is.
    """
    inliner = Inliner()
    parse = inliner.parse

    def bounded(text: str, lineno: int, memo: Any, parent: Any) -> tuple[list[Any], list[Any]]:
        found: tuple[list[Any], list[Any]] = ([nodes.Text(unescape(text))], [])
        if sum(map(text.count, _MARKUP)) <= MAX_MARKUP:
            found = parse(text, lineno, memo, parent)
        else:
            left_as_text.append(lineno)
        return found

    def interpreted(rawsource: str, text: str, role: str, lineno: int) -> tuple[list[Any], list[Any]]:
        known, messages = roles.role(role, inliner.language, lineno, inliner.reporter)
        if known:
            found, more = known(role, rawsource, text, lineno, inliner)
            return found, messages + more
        return [_node(rawsource, unescape(text), role.rpartition(":")[2].lower())], []

    inliner.interpreted = interpreted
    inliner.parse = bounded
    return inliner


def _node(rawsource: str, text: str, role: str) -> Any:
    shown, target = _parts(text)
    if role in ("doc", "download") and not target.startswith("!"):
        address = target if role == "download" or "." in target.rpartition("/")[2] else f"{target}.rst"
        return nodes.reference(rawsource, shown, refuri=address.removeprefix("/"))
    if role in ("ref", "any") and shown == target:
        return nodes.inline(rawsource, shown, classes=["label"])
    if role in _STRONG:
        return nodes.strong(rawsource, shown)
    if role in _AS_TEXT or role.startswith(("bdg", "octicon", "fa", "material")) or role in _CITATIONS:
        return nodes.inline(rawsource, shown)
    return nodes.literal(rawsource, shown)


def _parts(text: str) -> tuple[str, str]:
    """What is shown, and what it leads to: `title <target>`, `~package.module.name`, `!name`."""
    titled = _TITLED.fullmatch(text)
    if titled:
        return titled[1], titled[2].strip()
    name = text.lstrip("!")
    return (name[1:].rpartition(".")[2] if name.startswith("~") else name), name.lstrip("~")
