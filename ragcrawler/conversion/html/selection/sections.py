"""Elements that belong together: nested sections of documentation, posts of a thread."""

import re
from collections.abc import Mapping

from lxml import html

from ragcrawler.conversion.html.tags import HEADINGS

_SIBLINGS_SHARE = 0.5
_WRAPPER_SHARE = 1.1
_SECTION_CLASS = re.compile(
    r"(?<!\S)(?:(?:sub)*section|(?:ref)?sect\d?|refentry|chapter|appendix|part)(?!\S)"
)


def section_around(element: html.HtmlElement) -> html.HtmlElement:
    """What holds the section that an element is in and its sisters; without sisters, the outermost section.

    Sections are nested without a break; an element outside of sections stays what it is.
    """
    element = next(filter(is_section, element.iterancestors()), element)
    parent = element.getparent()
    while parent is not None and is_section(parent):
        element, parent = parent, parent.getparent()
    if parent is None or not is_section(element):
        return element
    return parent if any(child is not element and is_section(child) for child in parent) else element


def thread_around(element: html.HtmlElement, words: Mapping[html.HtmlElement, int]) -> html.HtmlElement:
    """The parent of repeated siblings: where one post was found, the thread; else the element.

    Args:
        element: what was found, or a wrapper inside of it.
        words: the words below each element, boilerplate left out.
    """
    inner, parent = element, element.getparent()
    while parent is not None:
        alike = [child for child in parent if child is not inner and _kind(child) == _kind(inner)]
        if alike and sum(words.get(child, 0) for child in alike) >= _SIBLINGS_SHARE * words.get(inner, 0):
            return parent
        if words.get(parent, 0) > _WRAPPER_SHARE * words.get(inner, 0):
            break
        inner, parent = parent, parent.getparent()
    return element


def _kind(element: html.HtmlElement) -> tuple[str, str]:
    return element.tag, element.get("class", "")


def is_section(element: html.HtmlElement) -> bool:
    """Whether an element is a section with a title of its own."""
    if element.tag == "section":
        return len(element) > 0 and element[0].tag in HEADINGS
    return element.tag == "div" and bool(_SECTION_CLASS.search(element.get("class", "")))
