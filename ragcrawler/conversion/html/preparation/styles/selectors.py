"""Selectors of style sheets: plain ones are read by a pattern, all others by cssselect.

Plain ones are made of names, classes, ids, attributes and states (`:hover`). They are nine out
of ten; cssselect takes ten times as long to read one, and a hundred times as long to find its elements.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cssselect
from cssselect import parser

_MAX_CHARACTERS = 1_000
# Those that an element can have without a reader's doing. A state that no element of a page at rest is in
# matches nothing.
_RESTING_NAMES = """
root scope first-child last-child first-of-type last-of-type only-child only-of-type empty link checked
disabled enabled
"""
_RESTING = frozenset(_RESTING_NAMES.split())
_PLACES = ("root", "first-child", "last-child", "link")
_OTHERS = "|".join((*sorted(_RESTING - {*_PLACES}), "before", "after", "first-line", "first-letter"))
_IDENT = r"-?[a-z_][\w-]*+"
_STATE = rf":(?!(?:{_OTHERS})(?![\w-])){_IDENT}(?!\()"
_ATTRIBUTE = rf"\[{_IDENT}(?:[*^$]?=(?:{_IDENT}|\"[^\"\\\]\s>,]*\"|'[^'\\\]\s>,]*'))?\]"
_OWN = rf"(?:[.#]{_IDENT}|{_STATE}|{_ATTRIBUTE})"
_COMPOUND = rf"(?:(?:[a-z][\w-]*+|\*){_OWN}*|{_OWN}+)"
_PLAIN = re.compile(
    rf"\s*({_COMPOUND}(?:(?:\s*+>\s*+|\s++){_COMPOUND})*)"
    rf"(::{_IDENT}|:(?:before|after|first-line|first-letter))?\s*",
    re.IGNORECASE | re.ASCII,
)
_BRACKETS = re.compile(r"[(\[\"'\\]")
_STEP = re.compile(r"(\s*>\s*|\s+|^)([^\s>]+)")
_PART = re.compile(r"\[([\w-]+)([*^$]?=)?(?:[\"']?)([^\]\"']*)[\"']?\]|([.#:]?)([\w-]+)", re.ASCII)
_OF_AN_ELEMENT = frozenset(((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0)))

Specificity = tuple[int, int, int]


class Compound(NamedTuple):
    """What a selector wants of one element.

    Attributes:
        tag: its name in lower case, "" for any.
        ids: each of them.
        classes: each of them.
        attributes: (name, operator, value); "" as the operator where the attribute has only to be there.
        places: "root", "first-child", "last-child", "link".
    """

    tag: str
    ids: tuple[str, ...]
    classes: tuple[str, ...]
    attributes: tuple[tuple[str, str, str], ...]
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector of elements.

    Attributes:
        specificity: its weight in the cascade.
        names: classes and ids that the element itself must have.
        wanted: classes and ids that must be on the page.
        is_possible: whether an element of a page at rest can match at all.
        compounds: of the element itself and of those around it, innermost first; empty where it is not plain.
        combinators: between the compounds, " " or ">".
        tree: cssselect's, where it is not plain.
    """

    specificity: Specificity
    names: frozenset[str]
    wanted: frozenset[str]
    is_possible: bool
    compounds: tuple[Compound, ...] = ()
    combinators: tuple[str, ...] = ()
    tree: cssselect.Selector | None = None

    @property
    def is_of_a_state(self) -> bool:
        """Whether it names more than the element's own class or id: `.panel.open`, `:checked + .panel`."""
        return self.specificity not in _OF_AN_ELEMENT


@lru_cache(maxsize=4096)
def read_selectors(prelude: str) -> tuple[Selector, ...]:
    """The selectors of elements, not of parts of them; none where one cannot be read, as in a browser."""
    if len(prelude) > _MAX_CHARACTERS:
        return ()
    try:
        return tuple(selector for part in _split(prelude) for selector in _read(part))
    except cssselect.SelectorError:
        return ()


def _split(prelude: str) -> list[str]:
    """The selectors one by one, unless a comma may stand inside of one."""
    parts = prelude.split(",")
    is_clear = _BRACKETS.search(prelude) is None or all(map(_PLAIN.fullmatch, parts))
    return parts if is_clear else [prelude]


def _read(text: str) -> Iterator[Selector]:
    plain = _PLAIN.fullmatch(text)
    if plain is None:
        yield from (_read_other(each) for each in parser.parse(text) if each.pseudo_element is None)
    elif not plain[2]:
        yield _read_plain(plain[1])


def _read_plain(text: str) -> Selector:
    steps = _STEP.findall(text)
    read = [_read_compound(part) for _, part in steps]
    compounds = [compound for compound, _ in read]
    states = sum(count for _, count in read)
    ids = [name for compound in compounds for name in compound.ids]
    classes = [name for compound in compounds for name in compound.classes]
    others = sum(len(compound.attributes) + len(compound.places) for compound in compounds)
    own = compounds[-1]
    return Selector(
        specificity=(len(ids), len(classes) + others + states, sum(1 for each in compounds if each.tag)),
        names=frozenset((*own.ids, *own.classes)),
        wanted=frozenset((*ids, *classes)),
        is_possible=not states,
        compounds=tuple(reversed(compounds)),
        combinators=tuple(combinator.strip() or " " for combinator, _ in reversed(steps[1:])),
    )


def _read_compound(text: str) -> tuple[Compound, int]:
    """What is wanted of an element, and how many states beside it."""
    tag = ""
    named: dict[str, list[str]] = {"#": [], ".": [], ":": []}
    attributes = []
    for attribute, operator, value, sign, name in _PART.findall(text):
        if attribute:
            attributes.append((attribute.lower(), operator, value))
        elif sign:
            named[sign].append(name)
        else:
            tag = name.lower()
    places = [name.lower() for name in named[":"] if name.lower() in _PLACES]
    states = len(named[":"]) - len(places)
    return Compound(tag, tuple(named["#"]), tuple(named["."]), tuple(attributes), tuple(places)), states


def _read_other(selector: cssselect.Selector) -> Selector:
    own = list(_parts_of_one(selector.parsed_tree))
    wanted = list(_parts(selector.parsed_tree))
    return Selector(
        specificity=selector.specificity(),
        names=frozenset(_names(own)),
        wanted=frozenset(_names(wanted)),
        is_possible=all(part.ident in _RESTING for part in wanted if isinstance(part, parser.Pseudo)),
        tree=selector,
    )


def _names(parts: list[parser.Tree]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, parser.Class):
            yield part.class_name
        elif isinstance(part, parser.Hash):
            yield part.id


def _parts(tree: parser.Tree) -> Iterator[parser.Tree]:
    """The parts that must all hold, of the element and of those around and before it."""
    while isinstance(tree, parser.CombinedSelector):
        yield from _parts_of_one(tree.subselector)
        tree = tree.selector
    yield from _parts_of_one(tree)


def _parts_of_one(tree: parser.Tree) -> Iterator[parser.Tree]:
    """The parts that must all hold of the element itself."""
    while not isinstance(tree, parser.Element):
        if isinstance(tree, parser.CombinedSelector):
            tree = tree.subselector
            continue
        yield tree
        tree = tree.selector
