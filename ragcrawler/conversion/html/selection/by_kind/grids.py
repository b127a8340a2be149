"""Siblings that repeat: the cards of a grid, the rows of a listing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lxml import html

_TAGS = frozenset(("div", "li", "article", "section", "tr", "tbody", "table", "a"))
_LEAST_MEMBERS = 4
_WORTHY_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Group:
    """Siblings of one tag and class that hold text.

    Attributes:
        members: the elements, in order.
        words: their words together.
    """

    members: Sequence[html.HtmlElement]
    words: int


def largest_group(words: Mapping[html.HtmlElement, int]) -> Group:
    """The repeated siblings with the most words; an empty group where nothing repeats four times.

    Args:
        words: the words below each element, in the order of the page.
    """
    groups: dict[tuple[html.HtmlElement | None, str, str], list[html.HtmlElement]] = {}
    for element in words:
        if element.tag in _TAGS:
            name = element.get("class", "").partition(" ")[0]
            groups.setdefault((element.getparent(), element.tag, name), []).append(element)
    best = Group((), 0)
    for members in groups.values():
        total = sum(words[member] for member in members) if len(members) >= _LEAST_MEMBERS else 0
        if total > best.words:
            best = Group(members, total)
    return best


def grid_around(body: html.HtmlElement, unmarked: Mapping[html.HtmlElement, int]) -> html.HtmlElement | None:
    """The parent of the largest group, None where it holds less than a fifth of the page's words.

    Args:
        body: the page.
        unmarked: the words below each element, boilerplate left out.
    """
    group = largest_group(unmarked)
    if group.words < _WORTHY_SHARE * unmarked.get(body, 0) or not group.members:
        return None
    return group.members[0].getparent()
