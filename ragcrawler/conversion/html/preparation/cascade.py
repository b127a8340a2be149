"""Which values the page's own style sheets and attributes give to an element."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from cssselect import HTMLTranslator, SelectorError
from cssselect.parser import Class, CombinedSelector, Element, Hash
from lxml import etree, html

from ragcrawler.conversion.html.preparation.colours import WHITE, background, is_unseen, read_colour
from ragcrawler.conversion.html.preparation.style_rules import (
    Declared,
    StyleRule,
    inline_declarations,
    read_style_rules,
)

Values = Mapping[str, str]
# An XPath walks through all elements: rules times elements, about a second of it.
_MAX_STEPS = 5_000_000
_COLOURS = {"color", "background", "background-color"}


class Cascade:
    """The declared values of elements; inheritance is left to who asks.

    Args:
        root: the page, as it was parsed.
        hides: says of a property and a value whether they may hide text: only where such a rule matches, the
            others are looked at.
    """

    def __init__(self, root: html.HtmlElement, hides: Callable[[str, str], bool]) -> None:
        self._rules = read_style_rules(root)
        self._hides = hides
        self._root = root
        self._steps = _MAX_STEPS
        self._found: dict[html.HtmlElement, dict[str, Declared]] = {}
        values = (_values(rule.declared) for rule in self._rules)
        self._backgrounds = {colour for each in values if (colour := background(each))} | {WHITE}
        hiding = [rule for rule in self._rules if rule.applies and self._has_hiding(rule)]
        if hiding:
            self._apply(hiding)
        if self._found:
            self._add_others([rule for rule in self._rules if rule.applies and not self._has_hiding(rule)])

    @property
    def elements(self) -> Iterable[html.HtmlElement]:
        """Those that a rule may hide."""
        return self._found.keys()

    def values(self, element: html.HtmlElement) -> Values:
        """What is declared for an element, by its own attribute too."""
        found = dict(self._found.get(element, {}))
        style = element.get("style")
        if style:
            _merge(found, inline_declarations(style))
        return _values(found)

    def is_shown_elsewhere(self, element: html.HtmlElement, name: str) -> bool:
        """Whether a rule for another state or screen shows what this property hides: a menu, an accordion."""
        return not self._shown[name].isdisjoint(_names_on([element]))

    @cached_property
    def _shown(self) -> dict[str, set[str]]:
        """By property: classes and ids of what it shows in another state or on another screen."""
        shown: dict[str, set[str]] = defaultdict(set)
        for rule in self._rules:
            if not rule.applies or _is_of_a_state(rule):
                for name, declared in rule.declared.items():
                    if not self._hides(name, declared.value):
                        shown[name] |= _names(rule)
        return shown

    def _add_others(self, rules: list[StyleRule]) -> None:
        """Apply what may show again, and colours to all elements: they lie one behind another."""
        properties = {name for declared in self._found.values() for name in declared}
        own = [rule for rule in rules if properties & rule.declared.keys() and not _is_coloured(rule)]
        self._apply(own, list(self._found))
        if "color" in properties:
            self._apply(filter(_is_coloured, rules))

    def _has_hiding(self, rule: StyleRule) -> bool:
        colour = read_colour(rule.declared["color"].value) if "color" in rule.declared else None
        if colour is not None and any(is_unseen(colour, behind) for behind in self._backgrounds):
            return True
        return any(self._hides(name, declared.value) for name, declared in rule.declared.items())

    def _apply(self, rules: Iterable[StyleRule], only: Iterable[html.HtmlElement] | None = None) -> None:
        known = None if only is None else set(only)
        present = _names_on(self._root.iter("*") if known is None else known)
        size = int(self._root.xpath("count(.//*)")) + 1
        for rule in rules:
            if not _names(rule) <= present or self._steps < size:
                continue
            self._steps -= size
            for element in _matched(self._root, rule):
                if known is None or element in known:
                    _merge(self._found.setdefault(element, {}), rule.declared)


def _values(declared: Mapping[str, Declared]) -> dict[str, str]:
    return {name: each.value for name, each in declared.items()}


def _merge(found: dict[str, Declared], more: Mapping[str, Declared]) -> None:
    for name, declared in more.items():
        known = found.get(name)
        if known is None or declared.weight >= known.weight:
            found[name] = declared


def _matched(root: html.HtmlElement, rule: StyleRule) -> list[html.HtmlElement]:
    try:
        path = HTMLTranslator().selector_to_xpath(rule.selector, prefix="descendant-or-self::")
        return list(root.xpath(path))
    except (SelectorError, etree.XPathError):
        return []  # a pseudo-class that is not known here


def _names(rule: StyleRule) -> set[str]:
    """The classes and the id that the last part of a selector wants of an element."""
    tree = rule.selector.parsed_tree
    names: set[str] = set()
    while not isinstance(tree, Element):
        if isinstance(tree, CombinedSelector):
            tree = tree.subselector
            continue
        names |= {tree.class_name} if isinstance(tree, Class) else set()
        names |= {tree.id} if isinstance(tree, Hash) else set()
        tree = tree.selector
    return names


def _is_of_a_state(rule: StyleRule) -> bool:
    """Whether the selector names more than the element's own class: `.panel.open`, `:checked + .panel`."""
    return rule.selector.specificity() > (0, 1, 0) and rule.selector.specificity() != (1, 0, 0)


def _is_coloured(rule: StyleRule) -> bool:
    return not _COLOURS.isdisjoint(rule.declared)


def _names_on(elements: Iterable[html.HtmlElement]) -> set[str]:
    names: set[str] = set()
    for element in elements:
        names.update(element.get("class", "").split())
        names.update(element.get("id", "").split())
    return names
