"""Which values the page's own style sheets and attributes give to an element."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from lxml import html

from ragcrawler.conversion.html.preparation.styles.colours import (
    WHITE,
    Colour,
    background,
    is_unseen,
    read_colour,
)
from ragcrawler.conversion.html.preparation.styles.declarations import PROPERTIES, Declared, declarations
from ragcrawler.conversion.html.preparation.styles.selector_match import SelectorMatch, names_on
from ragcrawler.conversion.html.preparation.styles.style_rules import StyleRule, read_style_rules

Values = Mapping[str, str]
Weight = tuple[bool, bool, tuple[int, int, int], int]
_INLINE: tuple[bool, tuple[int, int, int], int] = (True, (0, 0, 0), 0)


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
        self.has_other_sheets = _links_sheets(root)
        self._found: dict[html.HtmlElement, dict[str, tuple[Weight, str]]] = {}
        self._values: dict[html.HtmlElement, Values] = {}
        self._is_unseen: dict[Colour, bool] = {}
        if not self._rules:
            return
        self._match = SelectorMatch(root)
        names = frozenset(self._match.names)
        matching = [rule for rule in self._rules if rule.applies and rule.may_match(names)]
        hiding = [rule for rule in matching if self._has_hiding(rule)]
        self._apply(hiding)
        if self._found:
            chosen = set(map(id, hiding))
            self._add_others([rule for rule in matching if id(rule) not in chosen])

    @property
    def elements(self) -> Iterable[html.HtmlElement]:
        """Those that a rule may hide."""
        return self._found.keys()

    def has_rules_for(self, element: html.HtmlElement) -> bool:
        """Whether the style elements may hide it."""
        return element in self._found

    def values(self, element: html.HtmlElement) -> Values:
        """The properties declared for an element, by its own attribute too."""
        known = self._values.get(element)
        if known is None:
            known = self._values[element] = self._read_values(element)
        return known

    def _read_values(self, element: html.HtmlElement) -> Values:
        found = self._found.get(element)
        style = element.get("style")
        if not style:
            return {name: value for name, (_, value) in found.items()} if found else {}
        merged = dict(found or {})
        _merge(merged, declarations(style), *_INLINE)
        return {name: value for name, (_, value) in merged.items()}

    def is_shown_elsewhere(self, element: html.HtmlElement, name: str) -> bool:
        """Whether a rule for another state or screen shows what this property hides: a menu, an accordion."""
        return not self._shown[name].isdisjoint(names_on(element))

    @cached_property
    def _shown(self) -> dict[str, set[str]]:
        """By property: classes and ids of what it shows in another state or on another screen."""
        names = {name for element in self._found for name in names_on(element)}
        shown: dict[str, set[str]] = defaultdict(set)
        for rule in self._rules:
            if rule.may_name(names):
                for selector in rule.selectors:
                    if not rule.applies or selector.is_of_a_state:
                        for name in self._showing(rule):
                            shown[name] |= selector.names
        return shown

    def _showing(self, rule: StyleRule) -> list[str]:
        return [name for name, declared in rule.declared.items() if not self._hides(name, declared.value)]

    @cached_property
    def _backgrounds(self) -> set[Colour]:
        values = {value for rule in self._rules for name, value in rule.colours if name != "color"}
        return {WHITE, *(colour for value in values if (colour := background({"background": value})))}

    def _has_hiding(self, rule: StyleRule) -> bool:
        """Whether it may hide what it matches."""
        if self._is_of_one_colour(rule):
            return True
        if not rule.may_hide:
            return False
        return any(self._hides(name, declared.value) for name, declared in rule.declared.items())

    def _is_of_one_colour(self, rule: StyleRule) -> bool:
        """Whether it may give text the colour of a background that is known."""
        declared = rule.colours
        if self.has_other_sheets and not any(name != "color" for name, _ in declared):
            return False  # they may set the background
        colours = [colour for name, value in declared if name == "color" and (colour := read_colour(value))]
        return any(map(self._may_be_unseen, colours))

    def _may_be_unseen(self, colour: Colour) -> bool:
        """Whether one of the backgrounds that are known hides text of this colour."""
        known = self._is_unseen.get(colour)
        if known is None:
            known = any(is_unseen(colour, behind) for behind in self._backgrounds)
            self._is_unseen[colour] = known
        return known

    def _add_others(self, rules: list[StyleRule]) -> None:
        """Apply what may show again; colours to what lies around and within, too."""
        properties = {name for declared in self._found.values() for name in declared}
        own = [rule for rule in rules if not rule.colours and rule.may_declare(properties)]
        self._apply(own, set(self._found), properties)
        self._apply([rule for rule in rules if rule.colours], self._around_coloured() | self._found.keys())

    def _around_coloured(self) -> set[html.HtmlElement]:
        within: set[html.HtmlElement] = set()
        around: set[html.HtmlElement] = set()
        for element, declared in self._found.items():
            if "color" in declared:
                around.update(element.iterancestors())
                if element not in within:
                    within.update(element.iterdescendants("*"))
        return around | within

    def _apply(
        self,
        rules: Iterable[StyleRule],
        only: set[html.HtmlElement] | None = None,
        properties: AbstractSet[str] = PROPERTIES,
    ) -> None:
        """Take in the rules that declare one of some properties, for all elements or for some."""
        names = self._match.names if only is None else {name for each in only for name in names_on(each)}
        for rule in rules:
            for selector in rule.selectors:
                if selector.names <= names and (elements := self._match.of(selector, only)):
                    if properties.isdisjoint(rule.declared):
                        break
                    for element in elements:
                        known = self._found.setdefault(element, {})
                        _merge(known, rule.declared, False, selector.specificity, rule.order)


def _links_sheets(root: html.HtmlElement) -> bool:
    """Whether the page has style sheets in other files."""
    if any("stylesheet" in link.get("rel", "") for link in root.iter("link")):
        return True
    return any("@import" in style.text_content() for style in root.iter("style"))


def _merge(
    found: dict[str, tuple[Weight, str]],
    more: Mapping[str, Declared],
    is_inline: bool,
    specificity: tuple[int, int, int],
    order: int,
) -> None:
    for name, declared in more.items():
        weight = (declared.is_important, is_inline, specificity, order)
        if name not in found or weight >= found[name][0]:
            found[name] = (weight, declared.value)
