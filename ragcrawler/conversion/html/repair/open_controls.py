"""Buttons that were never closed: an HTML parser puts the page that follows into them."""

from lxml import etree, html

from ragcrawler.conversion.html.tags import BLOCKS, HEADINGS

_CONTENT = ("main", "article", "h1")
_PARAGRAPHS = ("p", "li", "pre", "td", "blockquote")
_MANY_CHARACTERS = 200


def release_content(root: html.HtmlElement) -> None:
    """Turn a button around content into a division; the words before its first block stay a button."""
    for button in list(root.iter("button")):
        if _holds_content(button):
            button.tag = "div"
            _split_off_label(button)


def _holds_content(button: html.HtmlElement) -> bool:
    if not len(button):
        return False
    if next(button.iter(*_CONTENT), None) is not None:
        return True
    return any(_is_long(paragraph) for paragraph in button.iter(*_PARAGRAPHS))


def _is_long(paragraph: html.HtmlElement) -> bool:
    characters = 0
    for text in paragraph.itertext():
        characters += len(text)
        if characters > _MANY_CHARACTERS:
            return True
    return False


def _split_off_label(division: html.HtmlElement) -> None:
    label = etree.Element("button")
    label.text, division.text = division.text, None
    for child in list(division):
        if child.tag in BLOCKS or child.tag in HEADINGS:
            break
        label.append(child)
    division.insert(0, label)
