"""The box about the author below or beside an article."""

import re

from lxml import html

from ragcrawler.conversion.html.selection.block_scores import Words

_TAGS = ("div", "section", "ul", "li", "p", "address")
_PARTS = (
    r"(?:box|bio(?:graphy)?|info(?:rmation)?|cards?|details?|desc(?:ription)?|profiles?|about|section"
    r"|container|content|wrap(?:per)?|block|area|summary|panel|widget|footer|row|text)"
)
_BOX = re.compile(
    rf"(?:[a-z0-9]+[-_]+){{0,3}}authors?(?:[-_]*{_PARTS})+(?:[-_]+\w{{1,20}})?"
    rf"|(?:[a-z0-9]+[-_]+){{0,2}}about[-_]*(?:the[-_]*)?(?:authors?|writers?)(?:[-_]+\w{{1,20}})?"
    rf"|(?:[a-z0-9]+[-_]+){{0,2}}(?:writer|contributor)s?[-_]*{_PARTS}"
    r"|bio[-_]*(?:box|card)|saboxplugin[-_]\w{1,20}|abh_box\w{0,20}|pp-multiple-authors[-_]\w{1,30}"
    r"|molongui-author-box\w{0,20}|m-a-box\w{0,20}|ts-fab-wrapper",
    re.IGNORECASE,
)
_HINTS = ("author", "writer", "contributor", "bio", "box", "fab")  # one of them is in each name
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_PAGE_SHARE = 0.3


def author_boxes(body: html.HtmlElement, words: Words) -> frozenset[html.HtmlElement]:
    """The elements that by their names tell of the author, where they are a small part of the page.

    One with the title, code or a table is the article by another name.
    """
    most = _MAX_PAGE_SHARE * words.all.get(body, 0)
    return frozenset(
        element
        for element in body.iterdescendants(*_TAGS)
        if _is_box(f"{element.get('id', '')} {element.get('class', '')}")
        and words.all.get(element, 0) < most
        and next(element.iter("h1", "pre", "table"), None) is None
    )


def _is_box(names: str) -> bool:
    lower = names.lower()
    if not any(map(lower.__contains__, _HINTS)):
        return False
    return any(map(_BOX.fullmatch, _CAMEL_HUMP.sub("-", names).split()))
