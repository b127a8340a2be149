"""Which elements of a page a selector means."""

from collections import defaultdict

from cssselect import HTMLTranslator, SelectorError
from cssselect.parser import Class, CombinedSelector, Element, Hash, Selector
from lxml import etree, html

# Elements looked at for all selectors together: a second or two.
_MAX_STEPS = 5_000_000


class SelectorMatch:
    """Finds elements by an index of classes and ids; what needs more than that is left to an XPath."""

    def __init__(self, root: html.HtmlElement) -> None:
        self._root = root
        self._steps = _MAX_STEPS
        self._elements = list(root.iter("*"))
        self._by_name: dict[str, list[html.HtmlElement]] = defaultdict(list)
        for element in self._elements:
            for name in names_on(element):
                self._by_name[name].append(element)

    @property
    def names(self) -> set[str]:
        """All classes and ids of the page."""
        return set(self._by_name)

    def of(self, selector: Selector, among: set[html.HtmlElement] | None = None) -> list[html.HtmlElement]:
        """The elements, of all or among some; none once too many were looked at."""
        wanted = names_of(selector)
        if not wanted <= self._by_name.keys():
            return []
        tree = selector.parsed_tree
        candidates = min((self._by_name[name] for name in wanted), key=len, default=self._elements)
        if among is not None:
            candidates = [each for each in candidates if each in among] if wanted else list(among)
        if not candidates:
            return []
        is_simple = _is_simple(tree)
        self._steps -= len(candidates) if is_simple else len(self._elements)
        if self._steps < 0:
            return []
        if is_simple:
            return [element for element in candidates if _means(tree, element)]
        try:
            path = HTMLTranslator().selector_to_xpath(selector, prefix="descendant-or-self::")
            found = self._root.xpath(path)
            return [element for element in found if among is None or element in among]
        except (SelectorError, etree.XPathError):
            return []  # a pseudo-class that is not known here


def names_on(element: html.HtmlElement) -> set[str]:
    """The classes and the id of an element."""
    return {*element.get("class", "").split(), *element.get("id", "").split()}


def names_of(selector: Selector) -> set[str]:
    """The classes and the id that the last part of a selector wants."""
    tree = selector.parsed_tree
    names: set[str] = set()
    while not isinstance(tree, Element):
        if isinstance(tree, CombinedSelector):
            tree = tree.subselector
            continue
        names |= {tree.class_name} if isinstance(tree, Class) else set()
        names |= {tree.id} if isinstance(tree, Hash) else set()
        tree = tree.selector
    return names


def _is_simple(tree: object) -> bool:
    """Whether it is made of names, classes and ids alone, within each other."""
    if isinstance(tree, CombinedSelector):
        return tree.combinator in " >" and _is_simple(tree.selector) and _is_simple(tree.subselector)
    if isinstance(tree, Class | Hash):
        return _is_simple(tree.selector)
    return isinstance(tree, Element)


def _means(tree: object, element: html.HtmlElement) -> bool:
    if isinstance(tree, CombinedSelector):
        if not _means(tree.subselector, element):
            return False
        around = element.iterancestors()
        outer = around if tree.combinator == " " else [each for each, _ in zip(around, "x", strict=False)]
        return any(_means(tree.selector, each) for each in outer)
    if isinstance(tree, Class):
        return tree.class_name in element.get("class", "").split() and _means(tree.selector, element)
    if isinstance(tree, Hash):
        return element.get("id") == tree.id and _means(tree.selector, element)
    return isinstance(tree, Element) and (tree.element is None or tree.element.lower() == element.tag)
