"""Selectors of style sheets, and the elements of a page that they mean: cssselect2's, in counted steps.

What a selector costs is what it looks at: its own elements, and those around and beside them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, SupportsIndex

import tinycss2
from cssselect2 import ElementWrapper
from cssselect2.compiler import CompiledSelector
from cssselect2.parser import (
    ClassSelector,
    CombinedSelector,
    IDSelector,
    LocalNameSelector,
    RelationalSelector,
    RelativeSelector,
    parse,
)
from cssselect2.parser import Selector as ParsedSelector
from lxml import html

from ragcrawler.conversion.html.preparation.styles.declarations import short_numbers
from ragcrawler.conversion.html.preparation.styles.steps import Steps, StyleError

_STEPS_TO_READ = 400
_STEPS_TO_WRAP = 30
_STEPS_TO_TEST = 2
_MAX_CACHED_CHARACTERS = 1_000
_CHARACTERS_A_STEP = 30
_OF_AN_ELEMENT = frozenset(((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0)))

Specificity = tuple[int, int, int]


@dataclass(frozen=True)
class Selector:
    """A selector of elements.

    Attributes:
        specificity: its weight in the cascade.
        tag: that the element itself must have, "" for any.
        names: classes and ids that the element itself must have, as `names_on` writes them.
        wanted: classes and ids that must be on the page.
        is_one_name: whether it says nothing but one of these: `.menu`.
        steps: what a test of an element costs.
        reads_attributes: whether it costs more where they are long.
        parsed: the parser's.
    """

    specificity: Specificity
    tag: str
    names: frozenset[str]
    wanted: frozenset[str]
    is_one_name: bool
    steps: int
    reads_attributes: bool
    parsed: Any

    @cached_property
    def test(self) -> Callable[["Element"], bool] | None:
        """Whether an element matches; None where no element of a page at rest can.

        Raises:
            StyleError: the selector nests too deep to be compiled.
        """
        _nest_relations(self.parsed.parsed_tree)
        try:
            compiled = CompiledSelector(self.parsed)
        except SyntaxError as error:
            if "nested" in error.msg:  # by so many brackets that Python gives up
                raise StyleError("a selector of the page's style sheets nests too deep") from error
            return None  # `:has(:hover)` compiles to nothing
        except (ValueError, AttributeError, NotImplementedError):
            return None  # a pseudo-class that is not known here
        test: Callable[[Element], bool] = compiled.test
        return None if compiled.never_matches else test

    @property
    def is_of_a_state(self) -> bool:
        """Whether it names more than the element's own class or id: `.panel.open`, `:checked + .panel`."""
        return self.specificity not in _OF_AN_ELEMENT


def read_selectors(prelude: str) -> tuple[Selector, ...]:
    """The selectors of elements, not of parts of them; none where one cannot be read, as in a browser."""
    return _read_often(prelude) if len(prelude) <= _MAX_CACHED_CHARACTERS else _read(prelude)


def _read(prelude: str) -> tuple[Selector, ...]:
    try:
        parts = _split(prelude)
        trees = [tree for tokens in parts if not _is_of_a_part(tokens) for tree in parse(tokens)]
    except (ValueError, AttributeError):  # the latter where a name is missing behind "|"
        return ()
    steps = _STEPS_TO_TEST + len(prelude) // (len(parts) * _CHARACTERS_A_STEP)
    return tuple(_describe(tree, steps, "[" in prelude) for tree in trees if tree.pseudo_element is None)


_read_often = lru_cache(maxsize=4096)(_read)


def split_selectors(prelude: str) -> list[str]:
    """The selectors of a list."""
    return [tinycss2.serialize(tokens).strip() for tokens in _split(prelude)]


def _split(prelude: str) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for node in tinycss2.parse_component_value_list(short_numbers(prelude)):
        if node == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def _is_of_a_part(tokens: list[Any]) -> bool:
    """Whether it selects parts of elements, `::before`: browsers know more names than the parser."""
    return any(one == ":" and other == ":" for one, other in pairwise(tokens))


def _describe(parsed: Any, steps: int, reads_attributes: bool) -> Selector:
    own, *outer = compounds = list(_compounds(parsed.parsed_tree))
    names = frozenset(_names(own))
    return Selector(
        specificity=parsed.specificity,
        tag=next((part.lower_local_name for part in own if isinstance(part, LocalNameSelector)), ""),
        names=names,
        wanted=frozenset(name for compound in compounds for name in _names(compound)),
        is_one_name=bool(names) and len(own) == 1 and not outer,
        steps=steps,
        reads_attributes=reads_attributes,
        parsed=parsed,
    )


def _compounds(tree: Any) -> Iterator[list[Any]]:
    """What is wanted of the element itself, then of those around and before it."""
    while isinstance(tree, CombinedSelector):
        yield tree.right.simple_selectors
        tree = tree.left
    yield tree.simple_selectors


def _nest_relations(tree: Any) -> None:
    """`:has(> a b)` becomes `:has(> a:has(b))`: the library looks for the last element by the first sign."""
    for part in [part for compound in _compounds(tree) for part in compound]:
        for listed in getattr(part, "selector_list", ()):
            inner = listed.selector if isinstance(listed, RelativeSelector) else listed
            _nest_relations(inner.parsed_tree)
            while inner is not listed and isinstance(inner.parsed_tree, CombinedSelector):
                last = inner.parsed_tree
                nearest = last.left.right if isinstance(last.left, CombinedSelector) else last.left
                relation = RelativeSelector(last.combinator, ParsedSelector(last.right))
                nearest.simple_selectors.append(RelationalSelector([relation]))
                inner.parsed_tree = last.left


def _names(compound: list[Any]) -> Iterator[str]:
    for part in compound:
        if isinstance(part, ClassSelector):
            yield f".{part.class_name}"
        elif isinstance(part, IDSelector):
            yield f"#{part.ident}"


class SelectorMatch:
    """Finds elements by an index of tags, classes and ids."""

    def __init__(self, root: html.HtmlElement, steps: Steps) -> None:
        self._root = root
        self._steps = steps
        self._read: dict[str, tuple[Selector, ...]] = {}
        self._wrapped: dict[html.HtmlElement, Element] = {}

    @cached_property
    def _elements(self) -> list[html.HtmlElement]:
        return list(self._root.iter("*"))

    @cached_property
    def _by_tag(self) -> dict[str, list[html.HtmlElement]]:
        by_tag: dict[str, list[html.HtmlElement]] = defaultdict(list)
        for element in self._elements:
            by_tag[element.tag].append(element)
        return by_tag

    @cached_property
    def _by_name(self) -> dict[str, list[html.HtmlElement]]:
        by_name: dict[str, list[html.HtmlElement]] = defaultdict(list)
        for element in self._elements:
            for name in names_on(element):
                by_name[name].append(element)
        return by_name

    @property
    def names(self) -> AbstractSet[str]:
        """All classes and ids of the page."""
        return self._by_name.keys()

    def read(self, prelude: str) -> tuple[Selector, ...]:
        """The selectors of a rule, once."""
        if prelude not in self._read:
            self._steps.take(_STEPS_TO_READ * (1 + prelude.count(",")) + len(prelude))
            self._read[prelude] = read_selectors(prelude)
        return self._read[prelude]

    def of(self, selector: Selector, among: set[html.HtmlElement] | None = None) -> list[html.HtmlElement]:
        """The elements, of all or among some."""
        if not selector.wanted <= self._by_name.keys():
            return []
        candidates = self._candidates(selector, among)
        if selector.is_one_name or not candidates or selector.test is None:
            return candidates if selector.is_one_name else []
        known = self._wrapped
        wrapped = [known.get(each) or self._wrap(each) for each in candidates]
        looks = sum([each.weight for each in wrapped]) if selector.reads_attributes else len(wrapped)
        self._steps.take(selector.steps * looks)
        return [each.etree_element for each in wrapped if selector.test(each)]

    def means(self, selector: Selector, element: html.HtmlElement) -> bool:
        """Whether a selector means an element."""
        wrapped = self._wrap(element)
        self._steps.take(selector.steps * wrapped.weight)
        return selector.test is not None and selector.test(wrapped)

    def _candidates(self, selector: Selector, among: set[html.HtmlElement] | None) -> list[html.HtmlElement]:
        """The elements that have the rarest of the names that are wanted, or the tag."""
        if selector.names:
            found = min((self._by_name[name] for name in selector.names), key=len)
        else:
            found = self._by_tag[selector.tag] if selector.tag else self._elements
        if among is None:
            return found
        if found is self._elements:
            return list(among)
        self._steps.take(len(found))
        return [each for each in found if each in among]

    def _wrap(self, element: html.HtmlElement) -> "Element":
        if element not in self._wrapped:
            parent = element.getparent()
            around = (
                [Element.of(element, self._steps)] if parent is None else self._wrap(parent).iter_children()
            )
            self._wrapped.update((each.etree_element, each) for each in around)
        return self._wrapped[element]


class Element(ElementWrapper):  # type: ignore[misc]  # the library is not annotated
    """An element that counts how far selectors look around it."""

    steps: Steps
    _ancestors: tuple["Element", ...] | None

    @classmethod
    def of(cls, root: html.HtmlElement, steps: Steps) -> "Element":
        """The root of a page."""
        made = cls(root, None, index=0, previous=None, in_html_document=True)
        made.steps = steps
        return made

    def __init__(self, etree_element: html.HtmlElement, parent: "Element | None", **place: Any) -> None:
        if parent is not None:
            self.steps = parent.steps
            self.steps.take(_STEPS_TO_WRAP)
        super().__init__(etree_element, parent, **place)

    @cached_property
    def weight(self) -> int:
        """Steps that a look at it costs: attributes may be long."""
        return 1 + sum(map(len, self.etree_element.attrib.values())) // _CHARACTERS_A_STEP

    @cached_property
    def _steps_to_root(self) -> int:
        return 0 if self.parent is None else self.parent.weight + self.parent._steps_to_root

    @property
    def ancestors(self) -> tuple["Element", ...]:
        self.steps.take(self._steps_to_root)
        if self._ancestors is None:
            self._ancestors = () if self.parent is None else (self.parent, *self.parent.ancestors)
        return self._ancestors

    @property
    def previous_siblings(self) -> Iterator["Element"]:
        """Not as the library's: that one calls itself for each of them."""
        before = self.previous
        while before is not None:
            self.steps.take(_STEPS_TO_TEST * before.weight)
            yield before
            before = before.previous

    @cached_property
    def etree_children(self) -> "_Children":
        children = _Children(each for each in self.etree_element if isinstance(each.tag, str))
        children.steps = self.steps
        return children


class _Children(list[html.HtmlElement]):
    """Counts how many of them are looked at."""

    steps: Steps

    def __iter__(self) -> Iterator[html.HtmlElement]:
        self.steps.take(len(self))
        return super().__iter__()

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        if isinstance(place, slice):
            self.steps.take(len(self))
        return super().__getitem__(place)


def names_on(element: html.HtmlElement) -> set[str]:
    """The classes and the id of an element: ".menu", "#top"."""
    names = {f".{name}" for name in element.get("class", "").split()}
    own = element.get("id")
    if own is not None:
        names.add(f"#{own}")
    return names
