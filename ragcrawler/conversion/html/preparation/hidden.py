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
    r"(?<!\S)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|u-hidden-visually|a11y-hidden|d-none)(?!\S)",
    re.IGNORECASE,
)
_CANDIDATES = (
    ".//*[@style or @hidden or @aria-hidden='true' or contains(@class, 'sr-only') or contains(@class, 'idden')"
    " or contains(@class, 'creen') or contains(@class, 'd-none')]"
)
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
    sizes = {element: _visible_length(element) for element in outermost}
    if sum(sizes.values()) > _MAX_PAGE_SHARE * _visible_length(body):
        return 0
    for element in outermost:
        element.drop_tree()
    return sum(sizes.values())


def is_hidden(element: html.HtmlElement) -> bool:
    """Whether attributes of the element itself keep its text from being seen."""
    if element.get("role") == "tabpanel" or "tab-pane" in element.get("class", ""):
        return False
    if element.get("hidden") is not None:
        return element.get("hidden") != "until-found"
    if element.get("aria-hidden") == "true":
        return True
    return bool(_STYLE.search(element.get("style", "")) or _CLASS.search(element.get("class", "")))


def _visible_length(element: html.HtmlElement) -> int:
    texts = element.xpath(".//text()[not(parent::script or parent::style or parent::template)]")
    return sum(len(" ".join(text.split())) for text in texts)
