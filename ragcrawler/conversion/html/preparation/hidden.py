"""Text that is on the page but not for its readers: it is dropped and counted."""

import re

from lxml import html

_ZERO = re.compile(r"0(?:\.0+)?(?:px|r?em|pt|%)?")
_TINY = re.compile(r"[01](?:\.0+)?(?:px)?")
_FAR_OUT = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|r?em|%)")
_HIDING_VALUES = {
    "display": re.compile(r"none"),
    "visibility": re.compile(r"hidden|collapse"),
    "opacity": _ZERO,
    "font-size": _ZERO,
    "left": _FAR_OUT,
    "right": _FAR_OUT,
    "top": _FAR_OUT,
    "bottom": _FAR_OUT,
    "text-indent": _FAR_OUT,
    "clip": re.compile(r"rect\(\s*[01](?:px)?[\s,].*"),
    "clip-path": re.compile(r"inset\(\s*(?:50|100)%.*"),
    "transform": re.compile(r"scale\(\s*0(?:\.0+)?\s*[,)].*"),
}
_SIZES = ("width", "height", "max-width", "max-height")
_CLASS = re.compile(
    r"(?<!\S)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|u-hidden-visually|a11y-hidden)(?!\S)",
    re.IGNORECASE,
)
_CANDIDATES = (
    ".//*[@style or @hidden or @aria-hidden or contains(@class, 'sr-only') or contains(@class, 'hidden')"
    " or contains(@class, 'reader')]"
)
_UNREAD = ("script", "style", "template")
_MAX_PAGE_SHARE = 0.5


def drop_hidden(body: html.HtmlElement) -> int:
    """Take hidden elements out; returns how many characters of text they held.

    A page whose greater part is hidden waits for a script to show it: there nothing is dropped. Tab panels
    stay, a reader can open them.
    """
    hidden = [element for element in body.xpath(_CANDIDATES) if is_hidden(element)]
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


def is_hidden(element: html.HtmlElement) -> bool:
    """Whether attributes of the element itself keep its text from being seen."""
    if element.get("role") == "tabpanel" or "tab-pane" in element.get("class", ""):
        return False
    if element.get("hidden") is not None:
        return str(element.get("hidden")) != "until-found"
    if element.get("aria-hidden") == "true":
        return True
    return _is_styled_away(element.get("style", "")) or bool(_CLASS.search(element.get("class", "")))


def _is_styled_away(style: str) -> bool:
    values: dict[str, str] = {}
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        values[name.strip()] = value.replace("!important", "").strip()
    if any(name in values and pattern.fullmatch(values[name]) for name, pattern in _HIDING_VALUES.items()):
        return True
    is_clipped = values.get("overflow") == "hidden"
    return is_clipped and any(_TINY.fullmatch(values.get(size, "")) for size in _SIZES)


def _length(element: html.HtmlElement) -> int:
    """Characters of text, white space squeezed."""
    unread = sum(_squeezed(inner.text or "") for inner in element.iter(*_UNREAD))
    return max(0, _squeezed("".join(element.itertext())) - unread)


def _squeezed(text: str) -> int:
    return len(" ".join(text.split()))
