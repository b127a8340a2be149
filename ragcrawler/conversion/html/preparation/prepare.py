"""The steps of preparation, in order."""

from lxml import etree, html

from ragcrawler.conversion.html.preparation.code_blocks import tidy_code_blocks
from ragcrawler.conversion.html.preparation.controls import drop_controls
from ragcrawler.conversion.html.preparation.footnotes import mark_footnotes
from ragcrawler.conversion.html.preparation.formulas import mark_formulas
from ragcrawler.conversion.html.preparation.hidden import drop_hidden
from ragcrawler.conversion.html.preparation.icon_tables import unwrap_icon_tables
from ragcrawler.conversion.html.preparation.pictures import settle_pictures
from ragcrawler.conversion.html.tags import BLOCKS, HEADINGS


def prepare(body: html.HtmlElement) -> int:
    """Change the body in place; returns the characters of hidden text that were dropped.

    Formulas come before hidden text: their readable source is often what is hidden.
    """
    reveal_noscript(body)
    mark_formulas(body)
    settle_pictures(body)
    hidden_characters = drop_hidden(body)
    unwrap_icon_tables(body)
    drop_controls(body)
    tidy_code_blocks(body)
    mark_footnotes(body)
    unwrap_block_links(body)
    return hidden_characters


def unwrap_block_links(body: html.HtmlElement) -> None:
    """Move each link that holds blocks onto the first heading in it, else onto its first block with text."""
    for anchor in list(body.iter("a")):
        address = anchor.get("href")
        if len(anchor) == 0 or not address:
            continue
        if not any(inner.tag in BLOCKS for inner in anchor.iterdescendants()):
            continue
        anchor.tag = "div"
        anchor.attrib.pop("href")
        named = _naming_block(anchor)
        if named is not None:
            _link_content(named, address)


def _naming_block(anchor: html.HtmlElement) -> html.HtmlElement | None:
    headings = [element for element in anchor.iter(*HEADINGS) if "".join(element.itertext()).strip()]
    if headings:
        return headings[0]
    for element in anchor.iter():
        if element.tag in BLOCKS and (element.text or "").strip():
            return element
        if element.tag not in BLOCKS and (element.text or "").strip():
            return element
    return None


def _link_content(element: html.HtmlElement, address: str) -> None:
    link = etree.Element("a", href=address)
    link.text, element.text = element.text, None
    for child in list(element):
        if child.tag in BLOCKS:
            break
        link.append(child)
    element.insert(0, link)


_MIN_WORDS = 50
_MIN_SHARE = 0.5


def reveal_noscript(body: html.HtmlElement) -> None:
    """Make `noscript` elements ordinary ones where they hold a good part of the page's text.

    A short one only asks to switch scripts on, or repeats a picture.
    """
    elements = list(body.iter("noscript"))
    inside = sum(len(element.text_content().split()) for element in elements)
    if inside < _MIN_WORDS:
        return
    texts = body.xpath(".//text()[not(ancestor::script or ancestor::style or ancestor::noscript)]")
    if inside >= _MIN_SHARE * sum(len(text.split()) for text in texts):
        for element in elements:
            element.tag = "div"
