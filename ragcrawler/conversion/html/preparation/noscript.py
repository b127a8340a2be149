"""Pages whose content stands in `noscript`, for readers and crawlers without scripts."""

from lxml import html

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
