"""A page of results as a tree."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from ragcrawler.search_engines.pages.unwrapping import LinkReader

MAX_CHARACTERS = 8 * 2**20
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_UNSEEN = "self::script or self::style or self::noscript or self::template or self::head"


def parse_page(body: str) -> HtmlElement:
    """The tree of a page; of one without any element an empty one."""
    text = _CONTROLS.sub(" ", body[:MAX_CHARACTERS]).strip()
    try:
        return document_fromstring((text or "<html></html>").encode(), parser=HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError, AssertionError):
        return document_fromstring("<html></html>")


@lru_cache(maxsize=256)
def _compiled(expression: str) -> etree.XPath:
    return etree.XPath(expression)


def find(element: HtmlElement, expression: str) -> list[HtmlElement]:
    """The elements that an XPath expression selects, in the order of the document."""
    found = _compiled(expression)(element)
    return [each for each in found if isinstance(each, HtmlElement)] if isinstance(found, list) else []


def matches(document: HtmlElement, expressions: Iterable[str]) -> bool:
    """Whether one of them selects anything."""
    return any(find(document, expression) for expression in expressions)


def seen_text(element: HtmlElement) -> str:
    """What a reader sees of an element, spaces joined; not what is in scripts and styles."""
    pieces = _compiled(f".//text()[not(ancestor::*[{_UNSEEN}])]")(element)
    return " ".join(" ".join(map(str, pieces if isinstance(pieces, list) else ())).split())


def outside_links(
    element: HtmlElement, links: LinkReader, skipped: frozenset[HtmlElement]
) -> Iterator[tuple[HtmlElement, str]]:
    """Each link out of the engine with its address, none from areas that hold no results."""
    for anchor in find(element, ".//a[@href]"):
        url = links.outside_url(anchor.get("href", ""))
        if url and not is_within(anchor, skipped):
            yield anchor, url


def is_within(element: HtmlElement, areas: frozenset[HtmlElement]) -> bool:
    """Whether an element is one of the areas, or lies in one."""
    return bool(areas) and (element in areas or any(each in areas for each in element.iterancestors()))


def blocks_of(anchors: list[HtmlElement], top: HtmlElement) -> list[HtmlElement]:
    """For each link the largest element below the top that holds no other of them."""
    counts: dict[HtmlElement, int] = {}
    for anchor in anchors:
        for each in (anchor, *anchor.iterancestors()):
            counts[each] = counts.get(each, 0) + 1
    blocks = []
    for anchor in anchors:
        block = anchor
        for each in anchor.iterancestors():
            if each is top or counts[each] > 1:
                break
            block = each
        blocks.append(block)
    return blocks
