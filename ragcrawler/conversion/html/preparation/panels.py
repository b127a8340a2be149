"""Panels that a control of the page opens: tabs, accordions. Closed, they are content all the same."""

import re
from functools import cached_property

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute

_CONTROLS = ("aria-controls", "data-target", "data-bs-target", "popovertarget")
_NAMED = re.compile(
    r"(?<![^\s_-])(?:accordion|collapsible|collapse|disclosure|expand(?:er|able)?|faq|panel|tab|toggle)(?![^\s_-])",
    re.IGNORECASE,
)
_NO_PANEL = re.compile(
    r"(?<![^\s_-])(?:nav(?:bar|igation)?|menu|drawer|dialog|modal|search|off-?canvas|cart|dropdown)(?![^\s_-])",
    re.IGNORECASE,
)
_NO_PANEL_ROLES = frozenset(("menu", "dialog", "alertdialog", "navigation", "search", "listbox", "tooltip"))


class Panels:
    """Which elements a reader can open.

    Args:
        root: the page.
    """

    def __init__(self, root: html.HtmlElement) -> None:
        self._root = root

    @cached_property
    def controlled(self) -> set[str]:
        """Ids of what a button says that it opens."""
        named = [each.get(name, "") for name in _CONTROLS for each in with_attribute(self._root, name)]
        return {part.lstrip("#") for value in named for part in value.split()}

    def holds(self, element: html.HtmlElement) -> bool:
        """Whether an element is a tab's panel, or a part of the content that a control opens: no menu."""
        classes = element.get("class", "")
        if element.get("role") == "tabpanel" or "tab-pane" in classes:
            return True
        if self._is_in_details(element):
            return True
        is_part = (
            element.get("role") == "region"
            or element.get("aria-labelledby") is not None
            or bool(_NAMED.search(classes))
        )
        return is_part and element.get("id", "") in self.controlled and not self._is_menu(element, classes)

    def _is_in_details(self, element: html.HtmlElement) -> bool:
        parent = element.getparent()
        return parent is not None and parent.tag == "details" and element.get("aria-hidden") == "true"

    def _is_menu(self, element: html.HtmlElement, classes: str) -> bool:
        if element.get("role") in _NO_PANEL_ROLES or _NO_PANEL.search(f"{classes} {element.get('id', '')}"):
            return True
        if next(element.iterancestors("nav", "header", "footer", "dialog"), None) is not None:
            return True
        return next(element.iter("nav", "dialog"), None) is not None
