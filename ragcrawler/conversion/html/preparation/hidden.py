"""Text that is on the page but not for its readers: it is dropped and counted."""

from collections.abc import Iterator

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.preparation.visibility import RENDERED_HIDDEN, Sight

_ATTRIBUTES = ("style", "hidden", "aria-hidden", RENDERED_HIDDEN, "color")
_UNREAD = ("script", "style", "template")
_MAX_PAGE_SHARE = 0.5


def drop_hidden(body: html.HtmlElement) -> int:
    """Take hidden elements out; returns how many characters of text they held.

    Hidden by their own attributes, or by the page's own style elements; style sheets of other files are not
    read. A page whose greater part is hidden waits for a script to show it: there nothing is dropped. Tab
    panels stay, a reader can open them, and so does what a control or another state of the page shows.
    """
    sight = Sight(body.getroottree().getroot())
    candidates = dict.fromkeys([*_candidates(body), *sight.elements])
    inside = {element for element in candidates if sight.is_hidden(element) and element is not body}
    outermost = [element for element in inside if inside.isdisjoint(element.iterancestors())]
    characters = sum(map(_length, outermost))
    if characters and characters > _MAX_PAGE_SHARE * _length(body):
        return 0
    for element in outermost:
        element.drop_tree()
    return characters


def _candidates(body: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """Elements that may be hidden by an attribute or a class that is known."""
    for name in _ATTRIBUTES:
        yield from with_attribute(body, name)
    for element in with_attribute(body, "class"):
        classes = element.get("class", "")
        if "sr-only" in classes or "hidden" in classes or "reader" in classes:
            yield element


def _length(element: html.HtmlElement) -> int:
    """Characters of text, white space squeezed."""
    unread = sum(_visible_length(inner.text or "") for inner in element.iter(*_UNREAD))
    return max(0, _visible_length(element.text_content()) - unread)


def _visible_length(text: str) -> int:
    return len(" ".join(text.split()))
