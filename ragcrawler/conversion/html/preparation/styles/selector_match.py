"""Which elements of a page a selector means."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

import cssselect
from lxml import etree, html

from ragcrawler.conversion.html.preparation.styles.selectors import Compound, Selector

# Elements looked at for all selectors together: a second or two.
_MAX_STEPS = 5_000_000


class SelectorMatch:
    """Finds elements by an index of classes and ids; what needs more than that is left to an XPath."""

    def __init__(self, root: html.HtmlElement) -> None:
        self._root = root
        self._steps = _MAX_STEPS
        self._elements = list(root.iter("*"))
        self._by_tag: dict[str, list[html.HtmlElement]] = {}
        self._by_name: dict[str, list[html.HtmlElement]] = defaultdict(list)
        for element in self._elements:
            for name in names_on(element):
                self._by_name[name].append(element)

    @property
    def names(self) -> AbstractSet[str]:
        """All classes and ids of the page."""
        return self._by_name.keys()

    def of(self, selector: Selector, among: set[html.HtmlElement] | None = None) -> list[html.HtmlElement]:
        """The elements, of all or among some; none once too many were looked at."""
        if not selector.is_possible or not selector.wanted <= self._by_name.keys():
            return []
        candidates = self._candidates(selector, among)
        if not candidates:
            return []
        self._steps -= len(candidates) if selector.tree is None else len(self._elements)
        if self._steps < 0:
            return []
        if selector.tree is None:
            return [element for element in candidates if self._means(selector, element)]
        found = self._by_path(selector.tree)
        return found if among is None else [element for element in found if element in among]

    def _candidates(self, selector: Selector, among: set[html.HtmlElement] | None) -> list[html.HtmlElement]:
        """The elements that have the rarest of the names that are wanted, or the tag."""
        tag = selector.compounds[0].tag if selector.compounds else ""
        if selector.names:
            found = min((self._by_name[name] for name in selector.names), key=len)
        else:
            found = self._of_tag(tag) if tag else self._elements
        return found if among is None else [each for each in found if each in among]

    def _of_tag(self, tag: str) -> list[html.HtmlElement]:
        if tag not in self._by_tag:
            self._by_tag[tag] = list(self._root.iter(tag))
        return self._by_tag[tag]

    def _by_path(self, selector: cssselect.Selector) -> list[html.HtmlElement]:
        try:
            path = cssselect.HTMLTranslator().selector_to_xpath(selector, prefix="descendant-or-self::")
            found: list[html.HtmlElement] = self._root.xpath(path)
        except (cssselect.SelectorError, etree.XPathError):
            return []  # a pseudo-class that is not known here
        return found

    def _means(self, selector: Selector, element: html.HtmlElement) -> bool:
        """Whether an element matches, in time linear in the selector and in the depth."""
        own, *outer = selector.compounds
        if not _fits(own, element):
            return False
        if not outer:
            return True
        around = list(element.iterancestors())
        self._steps -= len(around)
        places = [-1]
        for combinator, compound in zip(selector.combinators, outer, strict=True):
            # What is found for the innermost place is found for all places further out, and more.
            tried = (
                [place + 1 for place in places] if combinator == ">" else range(places[0] + 1, len(around))
            )
            places = [place for place in tried if place < len(around) and _fits(compound, around[place])]
            if not places:
                return False
        return True


def names_on(element: html.HtmlElement) -> set[str]:
    """The classes and the id of an element."""
    classes, own = element.get("class"), element.get("id")
    if own is None:
        return set(classes.split()) if classes else set()
    return {*(classes or "").split(), *own.split()}


def _fits(compound: Compound, element: html.HtmlElement) -> bool:
    tag, ids, names, attributes, places = compound
    if tag and tag != element.tag:
        return False
    if ids and any(element.get("id") != name for name in ids):
        return False
    if names and not _has_classes(element.get("class", ""), names):
        return False
    return all(_has(element, *each) for each in attributes) and all(_PLACES[name](element) for name in places)


def _has_classes(classes: str, names: tuple[str, ...]) -> bool:
    for name in names:
        if name not in classes:
            return False  # as mostly: no list is made
    among = classes.split()
    return all(name in among for name in names)


def _has(element: html.HtmlElement, name: str, operator: str, value: str) -> bool:
    found = element.get(name)
    return found is not None and (not operator or _OPERATORS[operator](found, value))


_OPERATORS: Mapping[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "^=": lambda found, value: bool(value) and found.startswith(value),
    "$=": lambda found, value: bool(value) and found.endswith(value),
    "*=": lambda found, value: bool(value) and value in found,
}
_PLACES: Mapping[str, Callable[[html.HtmlElement], bool]] = {
    "root": lambda element: element.getparent() is None,
    "first-child": lambda element: element.getprevious() is None,
    "last-child": lambda element: element.getnext() is None,
    "link": lambda element: element.tag in ("a", "area", "link") and element.get("href") is not None,
}
