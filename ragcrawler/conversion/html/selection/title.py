"""The title of a page, from what it declares and what its content begins with."""

from collections.abc import Iterable

from lxml import html

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.tags import HEADINGS

_TRIED_HEADINGS = 3


def title_of(root: html.HtmlElement, declared: str, kept: Iterable[Block]) -> str:
    """The best title on offer, in this order.

    1. what meta elements or JSON-LD declare;
    2. one of the first headings of the content, if the `title` element begins with it: behind it mostly
       stands the name of the site, which may be the page's only `h1`;
    3. the first `h1` of the content;
    4. the `title` element;
    5. the first heading of the content.
    """
    if declared:
        return _line(declared)
    headings = [block.element for block in kept if block.element.tag in HEADINGS]
    first = [_line(element.text_content()) for element in headings[:_TRIED_HEADINGS]]
    title = _line(root.findtext(".//title") or "")
    mains = (_line(element.text_content()) for element in headings if element.tag == "h1")
    repeated = (text for text in first if text and title.startswith(text))
    return next(repeated, "") or next(mains, "") or title or next(iter(first), "")


def _line(text: str) -> str:
    return " ".join(text.split())
