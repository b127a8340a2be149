"""Pictures that are no `img` elements: named drawings, films, objects, and what waits for scripts."""

import re

from lxml import etree, html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.picture_source import picture_source
from ragcrawler.conversion.html.tags import BLOCKS

_FILMS = re.compile(
    r"^(?:https?:)?//(?:www\.)?(?:youtube(?:-nocookie)?\.com/embed/|player\.vimeo\.com/video/|www\.ted\.com/|"
    r"embed\.ted\.com/|(?:www\.)?dailymotion\.com/embed/|player\.bilibili\.com/|w\.soundcloud\.com/player)",
    re.IGNORECASE,
)
_PICTURE_FILE = re.compile(r"\.(?:svg|png|jpe?g|gif|webp|avif)(?:$|[?#])", re.IGNORECASE)
_TRACKING = re.compile(r"facebook\.com/tr|/pixel|doubleclick|/collect\?|display\s*:\s*none", re.IGNORECASE)
_SMALL = re.compile(r"[01](?:px)?")
_LEAST_NAME_WORDS = 3
_LEAST_DRAWING_PIXELS = 100
_MAX_NAME_CHARACTERS = 1_000
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")


def settle_pictures(body: html.HtmlElement) -> None:
    """Turn each into an `img`, a link or text; what has neither a name nor an address stays as it is."""
    for noscript in list(body.iter("noscript")):
        _reveal_picture(noscript)
    _name_links(body)
    for element in list(body.iter("svg")):
        _name_drawing(element)
    for element in list(body.iter("object", "embed")):
        _show_object(element)
    for film in list(body.iter("video")):
        _show_poster(film)
    for frame in list(body.iter("iframe")):
        _link_film(frame)
    for element in with_attribute(body, "role"):
        if element.get("role") == "img" and element.get("aria-label") is not None:
            _name_drawn_text(element)


def _reveal_picture(noscript: html.HtmlElement) -> None:
    """Show the copy for readers without scripts, unless the picture that loads late says where it is."""
    pictures = [each for each in noscript.iter("img") if not _is_tracking(each)]
    if len(pictures) != 1 or noscript.text_content().strip():
        return
    before = noscript.getprevious()
    inside = list(before.iter("img")) if before is not None and not (before.tail or "").strip() else []
    if inside and picture_source(inside[-1]):
        return
    in_figure = next(noscript.iterancestors("figure"), None) is not None
    if not inside and not in_figure and not _is_file(pictures[0].get("src", "")):
        return
    noscript.tag = "span"
    if inside:
        inside[-1].drop_tree()


def _is_file(address: str) -> bool:
    """Whether an address is one of a picture, and of no counter."""
    return bool(_PICTURE_FILE.search(address)) and ".gif?" not in address


def _is_tracking(picture: html.HtmlElement) -> bool:
    sizes = (picture.get("width", ""), picture.get("height", ""))
    said = f"{picture.get('src', '')} {picture.get('style', '')}"
    return any(map(_SMALL.fullmatch, sizes)) or bool(_TRACKING.search(said))


def _name_of(element: html.HtmlElement) -> str:
    title = next((child.text_content() for child in element if child.tag in ("title", "desc")), "")
    name = element.get("aria-label") or title or element.get("title") or ""
    return " ".join(name.split())[:_MAX_NAME_CHARACTERS]


def _name_links(body: html.HtmlElement) -> None:
    """A link that is a drawing has its name as text, where it reads like one and not like that of a file."""
    if next(body.iter("svg"), None) is None:
        return
    for link in list(body.iter("a")):
        drawings = list(link.iter("svg"))
        if not drawings or next(link.iter("img"), None) is not None:
            continue
        name = _name_of(drawings[0]) or " ".join(link.get("aria-label", "").split())
        if len(drawings) > 1 or not name[:1].isupper() or "_" in name:
            continue
        if not link.xpath("boolean(.//text()[normalize-space() and not(ancestor::svg)])"):
            _put_text(drawings[0], name)


def _name_drawing(drawing: html.HtmlElement) -> None:
    """The name of a drawing is text where the drawing is no mere sign."""
    name = _name_of(drawing)
    if not name or drawing.get("aria-hidden") == "true" or drawing.getparent() is None:
        return
    around = {outer.tag for outer in drawing.iterancestors()}
    if not around.isdisjoint(("a", "button", "label", "svg")) or not name[:1].isupper():
        return
    if "figure" in around or (_is_big(drawing) and len(name.split()) >= _LEAST_NAME_WORDS):
        _put_text(drawing, name)


def _is_big(drawing: html.HtmlElement) -> bool:
    """A size over 100 is told; a drawing without one fills its place."""
    box = drawing.get("viewbox", "").replace(",", " ").split()[2:]
    sizes = [drawing.get("width", ""), *box]
    numbers = [float(found.group()) for size in sizes if (found := _NUMBERS.match(size))]
    return not numbers or max(numbers) >= _LEAST_DRAWING_PIXELS


def _put_text(element: html.HtmlElement, text: str) -> None:
    span = etree.Element("span")
    span.text, span.tail = text, element.tail
    element.getparent().replace(element, span)


def _show_object(element: html.HtmlElement) -> None:
    """A picture file is a picture; else what stands inside, for browsers that cannot show it, is shown."""
    address = (element.get("data") or element.get("src") or "").strip()
    is_picture = element.get("type", "").startswith("image/") or bool(_PICTURE_FILE.search(address))
    if not address or not is_picture:
        if element.tag == "object" and (element.text_content().strip() or element.find(".//img") is not None):
            has_blocks = any(inner.tag in BLOCKS for inner in element.iterdescendants())
            element.tag = "div" if has_blocks else "span"
        return
    inner = element.find(".//img")
    fallback = inner.get("alt", "") if inner is not None else " ".join(element.text_content().split())
    _put_picture(element, address, _name_of(element) or fallback)


def _show_poster(film: html.HtmlElement) -> None:
    poster = film.get("poster", "").strip()
    if poster and film.getparent() is not None:
        _put_picture(film, poster, _name_of(film))


def _put_picture(element: html.HtmlElement, address: str, description: str) -> None:
    parent = element.getparent()
    if parent is None:
        return
    picture = etree.Element("img", src=address, alt=description)
    picture.tail = element.tail
    if element.get("id"):
        picture.set("id", element.get("id"))
    parent.replace(element, picture)


def _link_film(frame: html.HtmlElement) -> None:
    """A frame that plays a film is a link to it, by its title; other frames are pages of their own."""
    address = (frame.get("src") or frame.get("data-src") or "").strip()
    title = " ".join(frame.get("title", "").split())[:_MAX_NAME_CHARACTERS]
    parent = frame.getparent()
    if not title or parent is None or not _FILMS.search(address):
        return
    link = etree.Element("a", href=address)
    link.text, link.tail = title, frame.tail
    parent.replace(frame, link)


def _name_drawn_text(element: html.HtmlElement) -> None:
    """An element that style sheets draw, a chart say: its label is its text if it has no other."""
    name = " ".join(element.get("aria-label", "").split())[:_MAX_NAME_CHARACTERS]
    is_empty = element.tag in ("div", "span", "figure", "i", "p") and len(element) == 0
    if is_empty and not (element.text or "").strip() and len(name.split()) >= _LEAST_NAME_WORDS:
        element.text = name
