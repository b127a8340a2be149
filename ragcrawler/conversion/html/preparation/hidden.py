"""Text that is on the page but not for its readers: it is dropped and counted."""

import re

from lxml import html

_STYLE = re.compile(
    r"display\s*:\s*none"
    r"|visibility\s*:\s*(?:hidden|collapse)"
    r"|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0(?:\.0+)?(?:px|em|rem|pt|%)?\s*(?:;|!|$)"
    r"|(?:left|right|top|bottom|text-indent)\s*:\s*-\d{3,}(?:\.\d+)?(?:px|em|rem|%)"
    r"|clip\s*:\s*rect\(\s*(?:0|1px)(?:px)?[\s,]"
    r"|clip-path\s*:\s*inset\(\s*(?:50|100)%"
    r"|(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|!|$)(?=.*overflow\s*:\s*hidden)"
    r"|overflow\s*:\s*hidden.*(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|!|$)"
    r"|transform\s*:\s*scale\(\s*0",
    re.IGNORECASE | re.DOTALL,
)
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
    return bool(_STYLE.search(element.get("style", "")) or _CLASS.search(element.get("class", "")))


def _length(element: html.HtmlElement) -> int:
    """Characters of text, white space squeezed."""
    unread = sum(_squeezed(inner.text or "") for inner in element.iter(*_UNREAD))
    return max(0, _squeezed("".join(element.itertext())) - unread)


def _squeezed(text: str) -> int:
    return len(" ".join(text.split()))
