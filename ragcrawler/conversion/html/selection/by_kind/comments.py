"""The readers' comments below a page."""

import re

from lxml import html

from ragcrawler.conversion.html.selection.sections import is_section
from ragcrawler.conversion.html.tags import HEADINGS

_TAGS = ("div", "section", "ol", "ul", "aside", "form")
_SECTION = re.compile(
    r"(?:(?:all|article|blog|entry|js|news|node|page|post|posts|reader|readers|story|the|user|view|wp)[-_]+){0,2}"
    r"(?:comments?|responses)"
    r"(?:[-_]+(?:area|list|section|container|wrapper|wrap|threads?|box|block|form|respond|holder|feed|main))*"
    r"|comment(?:list|area|section|box|form)|comments(?:list|area|section|block|container|wrapper)|respond"
    r"|disqus[-_]?\w{0,20}|fb-comments|livefyre\w{0,20}|spot-?im\w{0,20}|viafoura\w{0,20}|coral[-_]\w{1,20}"
    r"|hyvor\w{0,20}|commento|isso-thread|utterances|giscus",
    re.IGNORECASE,
)
_PART = re.compile(r"(?:.{0,20}[-_])?comment(?:s|[-_].{1,20})?", re.IGNORECASE)


def comment_sections(body: html.HtmlElement) -> frozenset[html.HtmlElement]:
    """The outermost elements that by their names hold nothing but comments, or the form for one."""
    found: set[html.HtmlElement] = set()
    verdicts: dict[tuple[str, str], bool] = {}
    for element in body.iterdescendants(*_TAGS):
        names = element.get("class", ""), element.get("id", "")
        if names not in verdicts:
            verdicts[names] = any(map(_SECTION.fullmatch, (names[1], *names[0].split())))
        if verdicts[names] and not _is_chapter(element) and found.isdisjoint(element.iterancestors()):
            found.add(element)
    return frozenset(found)


def _is_chapter(element: html.HtmlElement) -> bool:
    """A chapter of a manual may be called "comments": nothing in it is named a part of one."""
    is_chapter = is_section(element) or (
        element.tag == "section" and any(child.tag in HEADINGS for child in element)
    )
    return is_chapter and not any(
        any(map(_PART.fullmatch, inner.get("class", "").split()))
        for inner in element.iterdescendants("div", "li", "article", "form")
    )
