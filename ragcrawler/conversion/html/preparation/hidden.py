"""Text that is on the page but not for its readers: it is dropped and counted."""

from lxml import html

from ragcrawler.conversion.html.preparation.sight import RENDERED_HIDDEN, Sight

_CANDIDATES = (
    f".//*[@style or @hidden or @aria-hidden or @{RENDERED_HIDDEN} or @color or contains(@class, 'sr-only')"
    " or contains(@class, 'hidden') or contains(@class, 'reader')]"
)
_UNREAD = ("script", "style", "template")
_MAX_PAGE_SHARE = 0.5


def drop_hidden(body: html.HtmlElement) -> int:
    """Take hidden elements out; returns how many characters of text they held.

    Hidden by their own attributes, or by the page's own style elements; style sheets of other files are not
    read. A page whose greater part is hidden waits for a script to show it: there nothing is dropped. Tab
    panels stay, a reader can open them, and so does what a control or another state of the page shows.
    """
    sight = Sight(body.getroottree().getroot())
    candidates = dict.fromkeys([*body.xpath(_CANDIDATES), *sight.elements])
    hidden = [element for element in candidates if sight.is_hidden(element) and element is not body]
    inside = set(hidden)
    outermost = [
        element for element in hidden if not any(outer in inside for outer in element.iterancestors())
    ]
    characters = sum(map(_length, outermost))
    if characters and characters > _MAX_PAGE_SHARE * _length(body):
        return 0
    for element in outermost:
        element.drop_tree()
    return characters


def _length(element: html.HtmlElement) -> int:
    """Characters of text, white space squeezed."""
    unread = sum(_visible_length(inner.text or "") for inner in element.iter(*_UNREAD))
    return max(0, _visible_length("".join(element.itertext())) - unread)


def _visible_length(text: str) -> int:
    return len(" ".join(text.split()))
