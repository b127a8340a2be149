"""Selectors of style sheets: plain ones are read by a pattern, all others by cssselect.

Plain ones are made of names, classes, ids and states (`:hover`) within each other. They are nine out of ten,
and cssselect takes ten times as long for one.
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
_IDENT = r"-?[a-z_][\w-]*+"
_STATE = rf":(?!(?:{'|'.join(_RESTING)}|before|after|first-line|first-letter)(?![\w-])){_IDENT}(?!\()"
_OWN = rf"(?:[.#]{_IDENT}|{_STATE})"
_COMPOUND = rf"(?:(?:[a-z][\w-]*+|\*){_OWN}*+|{_OWN}++)"
_PLAIN = re.compile(
    rf"\s*({_COMPOUND}(?:(?:\s*+>\s*+|\s++){_COMPOUND})*+)"
    rf"(::{_IDENT}|:(?:before|after|first-line|first-letter))?\s*",
    re.IGNORECASE | re.ASCII,
)
_STEP = re.compile(r"(\s*>\s*|\s+|^)([^\s>]+)")
_NAME = re.compile(r"([.#:]?)([\w-]+)", re.ASCII)
_OF_AN_ELEMENT = frozenset(((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0)))

Specificity = tuple[int, int, int]


class Compound(NamedTuple):
    """What a selector wants of one element: its name in lower case ("" for any), its ids, its classes."""

    tag: str
    ids: tuple[str, ...]
    classes: tuple[str, ...]


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
    plain = [_PLAIN.fullmatch(part) for part in prelude.split(",")]
    if all(plain):
        return tuple(_read_plain(found[1]) for found in plain if found is not None and not found[2])
    try:
        return tuple(map(_read_other, (each for each in parser.parse(prelude) if not each.pseudo_element)))
    except cssselect.SelectorError:
        return ()


def _read_plain(text: str) -> Selector:
    compounds, combinators = [], []
    states = 0
    for combinator, part in _STEP.findall(text):
        tag = ""
        named: dict[str, list[str]] = {"#": [], ".": [], ":": []}
        for sign, name in _NAME.findall(part):
            if sign:
                named[sign].append(name)
            else:
                tag = name.lower()
        states += len(named[":"])
        compounds.append(Compound(tag, tuple(named["#"]), tuple(named["."])))
        combinators.append(combinator.strip() or " ")
    ids = [name for compound in compounds for name in compound.ids]
    classes = [name for compound in compounds for name in compound.classes]
    own = compounds[-1]
    return Selector(
        specificity=(len(ids), len(classes) + states, sum(1 for compound in compounds if compound.tag)),
        names=frozenset((*own.ids, *own.classes)),
        wanted=frozenset((*ids, *classes)),
        is_possible=not states,
        compounds=tuple(reversed(compounds)),
        combinators=tuple(reversed(combinators[1:])),
    )


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
