"""Cards: a link around whole blocks becomes a link around the text that names the card."""

from lxml import etree, html

from ragcrawler.conversion.html.tags import BLOCKS, HEADINGS


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
