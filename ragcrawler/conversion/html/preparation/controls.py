"""Remove controls: buttons, permalink signs, share links, "edit this page" and the like."""

import re

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.tags import HEADINGS
from ragcrawler.conversion.text_cleaning import strip_invisible

_SIGNS = frozenset(("¶", "#", "§", "🔗", "\uf0c1", "\ue157", "::", "◆", "↑", "⇑", "top"))
_CHROME = re.compile(
    r"(?:edit|improve|fork) (?:this|the) (?:page|article|section|doc\w*)(?: (?:on|in) \w+)?"
    r"|\[edit\]|edit (?:on|in) git\w+|(?:view|show) (?:page |this )?source(?: code)?"
    r"|suggest (?:an )?(?:edits?|changes)"
    r"|report (?:a|an|this) (?:bug|issue|problem|content)(?: (?:on|with) .{0,20})?"
    r"|(?:raise|open) (?:an )?issue"
    r"|copy (?:link|code|page|to clipboard)|share (?:this|on) .{0,20}|print this page"
    r"|(?:back|return|go|scroll) to (?:the )?top|(?:skip|jump) to (?:.{0,10}content|navigation|search)"
    r"|permalink(?: to this .{0,12})?",
    re.IGNORECASE,
)
_SHARING = re.compile(
    r"//[\w.]*(?:facebook\.com/share|twitter\.com/(?:intent|share)|x\.com/intent|linkedin\.com/share|"
    r"reddit\.com/submit|"
    r"pinterest\.com/pin/create|t\.me/share|api\.whatsapp\.com/send|getpocket\.com/(?:save|edit))",
    re.IGNORECASE,
)
_MAX_CHROME_CHARACTERS = 45


def drop_controls(body: html.HtmlElement) -> None:
    """Take out what has no meaning away from the browser; an id stays, since links may lead to it."""
    regions = [each for each in with_attribute(body, "role") if each.get("role") == "region"]
    labels = {name for region in regions for name in region.get("aria-labelledby", "").split()}
    for element in list(body.iter("button", "a", "span")):
        if not _is_control(element, labels):
            continue
        name = element.get("id") or element.get("name") or ""
        if name and element.tag == "a":
            element.clear(keep_tail=True)
            element.set("id", name)
            _join_heading(element)
        else:
            element.drop_tree()


def _join_heading(anchor: html.HtmlElement) -> None:
    """An anchor that only a heading shares its parent with is that heading's, though it stands behind it."""
    before = anchor.getprevious()
    is_last = anchor.getnext() is None and not (anchor.tail or "").strip()
    if is_last and before is not None and before.tag in HEADINGS:
        before.append(anchor)


def _is_control(element: html.HtmlElement, labels: set[str]) -> bool:
    if element.tag == "button":
        return not _opens_something(element, labels)
    if element.tag == "span":
        return bool(element.get("class") == "mw-editsection")
    address = element.get("href")
    if address is None:
        return False
    text = "".join(element.itertext()) if len(element) else element.text or ""
    text = strip_invisible(text)[0].strip()
    if not text or text.lower() in _SIGNS:
        return "#" in address and next(element.iter("img"), None) is None
    if len(text) <= _MAX_CHROME_CHARACTERS and _CHROME.fullmatch(text):
        return True
    return bool(_SHARING.search(address))


def _opens_something(button: html.HtmlElement, labels: set[str]) -> bool:
    """The question of an accordion is a button too."""
    if button.get("aria-expanded") is not None or button.get("id", "") in labels:
        return True
    if "collapse" in (button.get("data-bs-toggle"), button.get("data-toggle")):
        return True
    return any(outer.tag in HEADINGS or outer.tag in ("dt", "summary") for outer in button.iterancestors())
