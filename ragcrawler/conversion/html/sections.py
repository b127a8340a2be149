"""Sections that documentation tools mark: chapters of DocBook, sections of Sphinx and Docutils."""

import re

from lxml import html

from ragcrawler.conversion.html.tags import HEADINGS

_SECTION_CLASS = re.compile(
    r"(?<!\S)(?:(?:sub)*section|(?:ref)?sect\d?|refentry|chapter|appendix|part)(?!\S)"
)


def section_around(element: html.HtmlElement) -> html.HtmlElement:
    """The outermost section that an element is or is nested in without a break."""
    parent = element.getparent()
    while parent is not None and is_section(parent):
        element, parent = parent, parent.getparent()
    return element


def is_section(element: html.HtmlElement) -> bool:
    """Whether an element is a section with a title of its own."""
    if element.tag == "section":
        return len(element) > 0 and element[0].tag in HEADINGS
    return element.tag == "div" and bool(_SECTION_CLASS.search(element.get("class", "")))
