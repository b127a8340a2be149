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
from ragcrawler.conversion.html.preparation.styles.declarations import (
    INLINE,
    PROPERTIES,
    Weight,
    declarations,
    merge,
)
from ragcrawler.conversion.html.preparation.styles.selectors import SelectorMatch, names_on
from ragcrawler.conversion.html.preparation.styles.steps import Steps
from ragcrawler.conversion.html.preparation.styles.style_rules import StyleRule, read_style_rules
from ragcrawler.conversion.html.preparation.styles.variables import Variables

_STEPS_TO_MERGE = 4
_STEPS_TO_COMPARE = 4

Values = Mapping[str, str]


class Cascade:
    """The declared values of elements; inheritance is left to who asks.

    Args:
        root: the page, as it was parsed.
        hides: says of a property and a value whether they may hide text: only where such a rule matches, the
            others are looked at.

    Raises:
        StyleError: the style sheets take too many steps; its methods raise it too.
    """

    def __init__(self, root: html.HtmlElement, hides: Callable[[str, str], bool]) -> None:
        self._steps = Steps()
        self._rules = read_style_rules(root, self._steps)
        self._hides = hides
        self._root = root
        self.has_other_sheets = _links_sheets(root)
        self._found: dict[html.HtmlElement, dict[str, tuple[Weight, str]]] = {}
        self._values: dict[html.HtmlElement, Values] = {}
        self._is_unseen: dict[Colour, bool] = {}
        self._match = SelectorMatch(root, self._steps)
        self._variables = Variables(root, self._rules, self._match, self._steps)
        if not self._rules:
            return
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
        if style:
            found = dict(found or {})
            merge(found, declarations(style), *INLINE)
        resolve = self._variables.resolve
        return {
            name: resolve(element, value) or ""
            for name, (_, value) in (found or {}).items()
            if name in PROPERTIES
        }

    def is_shown_elsewhere(self, element: html.HtmlElement, name: str) -> bool:
        """Whether a rule for another state or screen shows what this property hides: a menu, an accordion."""
        return not self._shown[name].isdisjoint(names_on(element))

    @cached_property
    def _shown(self) -> dict[str, set[str]]:
        """By property: classes and ids of what it shows in another state or on another screen."""
        names = {name for element in self._found for name in names_on(element)}
        hiding = {
            name
            for found in self._found.values()
            for name, (_, value) in found.items()
            if self._may_hide(name, value)
        }
        shown: dict[str, set[str]] = defaultdict(set)
        for rule in self._rules:
            showing = self._showing(rule, hiding) if rule.may_name(names) and rule.may_declare(hiding) else ()
            for selector in self._match.read(rule.prelude) if showing else ():
                if not rule.applies or selector.is_of_a_state:
                    for name in showing:
                        shown[name] |= selector.names
        return shown

    def _showing(self, rule: StyleRule, properties: AbstractSet[str]) -> list[str]:
        return [
            name
            for name, declared in rule.declared.items()
            if name in properties and not self._hides(name, declared.value)
        ]

    @cached_property
    def _backgrounds(self) -> set[Colour] | None:
        """None where one of them may have any colour."""
        declared = {value for rule in self._rules for name, value in rule.colours if name != "color"}
        possible = [self._variables.possible(value) for value in declared]
        if None in possible:
            return None
        values = {value for values in possible for value in values or ()}
        return {WHITE, *(colour for value in values if (colour := background({"background": value})))}

    def _has_hiding(self, rule: StyleRule) -> bool:
        """Whether it may hide what it matches."""
        if self._is_of_one_colour(rule):
            return True
        if not rule.may_hide:
            return False
        return any(self._may_hide(name, declared.value) for name, declared in rule.declared.items())

    def _may_hide(self, name: str, value: str) -> bool:
        if name not in PROPERTIES:
            return False
        possible = self._variables.possible(value)
        return possible is None or any(self._hides(name, each) for each in possible)

    def _is_of_one_colour(self, rule: StyleRule) -> bool:
        """Whether it may give text the colour of a background that is known."""
        declared = rule.colours
        if self.has_other_sheets and not any(name != "color" for name, _ in declared):
            return False  # they may set the background
        return any(self._may_be_unseen(value) for name, value in declared if name == "color")

    def _may_be_unseen(self, value: str) -> bool:
        """Whether one of the backgrounds that are known hides text of this colour."""
        possible = self._variables.possible(value)
        if possible is None or self._backgrounds is None:
            return True
        return any(map(self._is_of_a_background, possible))

    def _is_of_a_background(self, value: str) -> bool:
        colour = read_colour(value)
        if colour is None:
            return False
        known = self._is_unseen.get(colour)
        if known is None:
            backgrounds = self._backgrounds or ()
            self._steps.take(_STEPS_TO_COMPARE * len(backgrounds))
            known = self._is_unseen[colour] = any(is_unseen(colour, behind) for behind in backgrounds)
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
            for selector in self._match.read(rule.prelude) if rule.may_mean(names) else ():
                if selector.names <= names and (elements := self._match.of(selector, only)):
                    if properties.isdisjoint(rule.declared):
                        break
                    self._steps.take(_STEPS_TO_MERGE * len(elements) * len(rule.declared))
                    for element in elements:
                        known = self._found.setdefault(element, {})
                        merge(known, rule.declared, False, selector.specificity, rule.order)


def _links_sheets(root: html.HtmlElement) -> bool:
    """Whether the page has style sheets in other files."""
    if any("stylesheet" in link.get("rel", "") for link in root.iter("link")):
        return True
    return any("@import" in style.text_content() for style in root.iter("style"))
