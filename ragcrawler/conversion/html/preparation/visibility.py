"""Which elements of a page are visible, by attributes and by the page's own style elements."""

import re
from collections.abc import Iterable

from lxml import html

from ragcrawler.conversion.html.preparation.panels import Panels
from ragcrawler.conversion.html.preparation.styles.cascade import Cascade, Values
from ragcrawler.conversion.html.preparation.styles.colours import (
    WHITE,
    Colour,
    background,
    has_background,
    is_clipped_to_text,
    is_unseen,
    read_colour,
)
from ragcrawler.conversion.html.preparation.styles.declarations import declarations, may_hide

RENDERED_HIDDEN = "data-ragcrawler-hidden"  # set by the browser, where the computed style hides an element
_TINY = re.compile(r"[01](?:\.0+)?(?:px)?")
_FAR_OUT = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|r?em|%)")
_HIDING_VALUES = {
    "display": re.compile(r"none"),
    "visibility": re.compile(r"hidden|collapse"),
    "content-visibility": re.compile(r"hidden"),
    "opacity": re.compile(r"0+|0*\.0(?:[0-4]\d*)?|0*[0-4](?:\.\d+)?%"),
    "font-size": re.compile(r"(?:0+(?:\.0*)?|\.0+)(?:px|r?em|pt|%)?|0*\.\d+(?:px|pt)"),
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


class Sight:
    """Tells visible elements from hidden ones."""

    def __init__(self, root: html.HtmlElement) -> None:
        self._cascade = Cascade(root, _hides)
        self._root = root
        self._panels = Panels(root)
        self._backgrounds: dict[html.HtmlElement, tuple[bool, Colour | None]] = {}

    @property
    def elements(self) -> Iterable[html.HtmlElement]:
        """Those that a style element may hide."""
        body = self._root.find("body")
        return [each for each in self._cascade.elements if body in each.iterancestors("body")]

    def is_hidden(self, element: html.HtmlElement) -> bool:
        """Whether its text is kept from being seen, and no reader can open it."""
        hidden = element.get("hidden")
        if hidden is not None:
            return hidden != "until-found" and not self._panels.holds(element)
        is_marked = element.get("aria-hidden") == "true" or element.get(RENDERED_HIDDEN) is not None
        is_hidden = (
            is_marked or bool(_CLASS.search(element.get("class", ""))) or self._is_styled_away(element)
        )
        return is_hidden and not self._panels.holds(element)

    def _is_styled_away(self, element: html.HtmlElement) -> bool:
        style = element.get("style", "")
        is_told = bool(style) and (may_hide(style) or "color" in style.lower())
        if not (is_told or element.get("color") or self._cascade.has_rules_for(element)):
            return False
        values = self._cascade.values(element)
        name = _hiding_property(values)
        if not name:
            return self._is_of_no_colour(element, values)
        return name in declarations(style) or not self._can_be_shown(element, name)

    def _can_be_shown(self, element: html.HtmlElement, name: str) -> bool:
        return element.get("id", "-") in self._panels.controlled or self._cascade.is_shown_elsewhere(
            element, name
        )

    def _is_of_no_colour(self, element: html.HtmlElement, values: Values) -> bool:
        """Whether text and background are of one colour, and both are known."""
        colour = read_colour(values.get("color") or element.get("color", ""))
        if colour is None or is_clipped_to_text(values):
            return False
        behind = self._behind(element)
        if behind is None or not is_unseen(colour, behind):
            return False
        return not any(map(self._has_colours, element.iterdescendants("*")))

    def _has_colours(self, element: html.HtmlElement) -> bool:
        values = self._cascade.values(element)
        by_attribute = element.get("color") or element.get("bgcolor")
        return "color" in values or has_background(values) or bool(by_attribute)

    def _behind(self, element: html.HtmlElement) -> Colour | None:
        """The background; None where another style sheet may have set one."""
        is_set, colour = self._own_background(element)
        if is_set or self._cascade.has_other_sheets:
            return colour
        for outer in element.iterancestors():
            is_set, colour = self._own_background(outer)
            if is_set:
                return colour
        return WHITE

    def _own_background(self, element: html.HtmlElement) -> tuple[bool, Colour | None]:
        """Whether an element has one of its own, and its colour where that can be read."""
        known = self._backgrounds.get(element)
        if known is None:
            values, attribute = self._cascade.values(element), element.get("bgcolor", "")
            is_set = bool(attribute) or has_background(values)
            known = is_set, (background(values) or read_colour(attribute)) if is_set else None
            self._backgrounds[element] = known
        return known


def _hides(name: str, value: str) -> bool:
    pattern = _HIDING_VALUES.get(name)
    return bool(pattern and pattern.fullmatch(value)) or (name in _SIZES and bool(_TINY.fullmatch(value)))


def _hiding_property(values: Values) -> str:
    """The property that hides, "" for none."""
    if not values:
        return ""
    for name, pattern in _HIDING_VALUES.items():
        if name in values and pattern.fullmatch(values[name]):
            return name
    if values.get("overflow") != "hidden":
        return ""
    return next((size for size in _SIZES if _TINY.fullmatch(values.get(size, ""))), "")
