"""Values of custom properties, `var(--name)` (CSS Custom Properties for Cascading Variables, Level 1)."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.preparation.styles.declarations import INLINE, Weight, declarations, merge
from ragcrawler.conversion.html.preparation.styles.selectors import SelectorMatch
from ragcrawler.conversion.html.preparation.styles.steps import Steps, StyleError
from ragcrawler.conversion.html.preparation.styles.style_rules import StyleRule

_MAX_LEVELS = 30  # of variables in variables
_MAX_POSSIBLE = 200  # values that a declaration may have, before it may have any
# The innermost, with a fallback that may hold one pair of brackets: `rgb(0 0 0)`.
_REFERENCE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,((?:(?!var\()[^()]|(?<!var)\([^()]*\))*))?\)")

_Place = tuple[html.HtmlElement, str]


class Variables:
    """What custom properties are worth at an element: looked for where they decide about text.

    Args:
        root: the page.
        rules: its rules.
        match: finds out which of them mean an element.
        steps: counts all that is done.
    """

    def __init__(
        self, root: html.HtmlElement, rules: Iterable[StyleRule], match: SelectorMatch, steps: Steps
    ) -> None:
        self._root = root
        self._rules = rules
        self._match = match
        self._steps = steps
        self._owners: dict[_Place, tuple[html.HtmlElement, str] | None] = {}
        self._possible: dict[str, frozenset[str] | None] = {}

    def resolve(
        self, element: html.HtmlElement, value: str, outer: frozenset[_Place] = frozenset()
    ) -> str | None:
        """A value without references; None for one that is invalid: a circle, a name without a value."""
        if len(outer) > _MAX_LEVELS:
            raise StyleError(
                f"the page's style sheets have variables in variables, {_MAX_LEVELS} levels deep"
            )
        while found := _REFERENCE.search(value):
            self._steps.take(1 + len(value))
            worth = self._worth(element, found[1], outer)
            worth = found[2] if worth is None else worth
            if worth is None:
                return None
            value = " ".join((value[: found.start()] + worth + value[found.end() :]).split())
        return value

    def _worth(self, element: html.HtmlElement, name: str, outer: frozenset[_Place]) -> str | None:
        owned = self._find(element, name)
        if owned is None or (place := (owned[0], name)) in outer:
            return None
        return self.resolve(*owned, outer | {place})

    def possible(self, value: str) -> frozenset[str] | None:
        """The values that one may have somewhere on the page; None for any."""
        if "var(" not in value:
            return frozenset((value,))
        if value not in self._possible:
            self._possible[value] = self._all_possible(value)
        return self._possible[value]

    def _all_possible(self, value: str) -> frozenset[str] | None:
        seen = {value}
        pending = [value]
        while pending and len(seen) <= _MAX_POSSIBLE:
            text = pending.pop()
            self._steps.take(1 + len(text))
            if found := _REFERENCE.search(text):
                worths = (*self._worths[found[1]], found[2] or "")
                more = {text[: found.start()] + worth + text[found.end() :] for worth in worths} - seen
                seen |= more
                pending += more
        return None if pending else frozenset(text.strip() for text in seen if not _REFERENCE.search(text))

    def _find(self, element: html.HtmlElement, name: str) -> tuple[html.HtmlElement, str] | None:
        """The element that a custom property is inherited from, and its value there."""
        passed: list[_Place] = []
        owner = None
        for each in (element, *element.iterancestors()):
            if (each, name) in self._owners:
                owner = self._owners[each, name]
                break
            passed.append((each, name))
            if (own := self._own(each, name)) is not None:
                owner = (each, own)
                break
        self._owners.update(dict.fromkeys(passed, owner))
        return owner

    def _own(self, element: html.HtmlElement, name: str) -> str | None:
        found: dict[str, tuple[Weight, str]] = {}
        for rule in self._declaring[name]:
            for selector in self._match.read(rule.prelude):
                if self._match.means(selector, element):
                    declared = {name: rule.declared[name]}
                    merge(found, declared, False, selector.specificity, rule.order)
        by_attribute = declarations(element.get("style", "")).get(name)
        if by_attribute is not None:
            merge(found, {name: by_attribute}, *INLINE)
        return found[name][1] if found else None

    @cached_property
    def _declaring(self) -> dict[str, list[StyleRule]]:
        """The rules that declare a custom property."""
        rules: dict[str, list[StyleRule]] = defaultdict(list)
        for rule in self._rules:
            if rule.applies and rule.declares_variables:
                for name in rule.declared:
                    rules[name].append(rule)
        return rules

    @cached_property
    def _worths(self) -> dict[str, set[str]]:
        """All values that rules and attributes declare."""
        worths: dict[str, set[str]] = defaultdict(set)
        for name, rules in self._declaring.items():
            worths[name].update(rule.declared[name].value for rule in rules)
        for element in with_attribute(self._root, "style"):
            style = element.get("style", "")
            if "--" in style:
                for name, declared in declarations(style).items():
                    worths[name].add(declared.value)
        return worths
