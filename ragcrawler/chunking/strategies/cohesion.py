"""Find topic shifts in long text by low lexical overlap (TextTiling).

After Hearst, "TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages" (1997), with rare words
counting for more. It stands in for headings where a document has none.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import log, sqrt
from statistics import fmean, pstdev

from ragcrawler.chunking.sizing.units import Boundary, Unit, tokens_of

# From so many limits' worth of text without a heading on, its words tell where to cut it.
_LONG_RUN = 8
_WINDOW_TOKENS = 110
# What one standard deviation of likeness costs.
_DEVIATION = 20.0
# Likeness shifts the costs of these around what they are, so that chunks keep the size of any other text's.
_WEIGHED = {Boundary.ELEMENT, Boundary.SENTENCE}
# What is left of a word's weight when all its units have gone, by rounding.
_NOTHING = 1e-9

_WORD = re.compile(r"[^\W_]{3,}")
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|s)\b")
_COMMON_LINES = """
about all also and another any are because been before being between both but can could does each even for
from had has have her here him his how into its may more most not now one only other our out over same she
should so some such than that the their them then there these they this those through two under very was way
well were what when where which while who why will with would you your
"""
_COMMON = frozenset(_COMMON_LINES.split())

Weights = dict[str, float]


def weigh_by_cohesion(units: Sequence[Unit], text: str, limit: int) -> None:
    """Let the boundaries within long text say how well the text goes on there; shorter text stays as it is.

    Args:
        units: of one run, in order; their boundaries are changed.
        text: the document.
        limit: tokens of a chunk.
    """
    if tokens_of(units) < _LONG_RUN * limit:
        return
    places = [index for index, unit in enumerate(units) if unit.kind == "text" and unit.boundary in _WEIGHED]
    if not places:
        return
    likenesses = _likenesses(units, _weigh([_words(unit, text) for unit in units]), places)
    mean, deviation = fmean(likenesses), pstdev(likenesses) or 1.0
    for index, likeness in zip(places, likenesses, strict=True):
        above = (likeness - mean) / deviation
        units[index].boundary += _DEVIATION * above


def _words(unit: Unit, text: str) -> Counter[str]:
    """How often each word occurs, without its ending."""
    stems = _ENDING.sub("", text[unit.start : unit.end].lower())
    return Counter([word for word in _WORD.findall(stems) if word not in _COMMON])


def _weigh(bags: Sequence[Counter[str]]) -> list[Weights]:
    """Each word by how often it occurs in a unit and how rare it is among the units."""
    having = Counter(chain.from_iterable(bags))
    rarity = {word: log((len(bags) + 1) / count) for word, count in having.items()}
    return [{word: count * rarity[word] for word, count in bag.items()} for bag in bags]


def _likenesses(units: Sequence[Unit], vectors: Sequence[Weights], places: Sequence[int]) -> list[float]:
    """The cosine of the windows before and behind each place; both slide over the units."""
    sizes = [unit.tokens or 1 for unit in units]
    last = len(units)
    before: Weights = {}
    behind: Weights = {}
    first = following = tokens_before = tokens_behind = 0
    wanted = set(places)
    found = []
    for index, vector in enumerate(vectors):
        while following < last and tokens_behind < _WINDOW_TOKENS:
            _add(behind, vectors[following])
            tokens_behind += sizes[following]
            following += 1
        if index in wanted:
            found.append(_cosine(before, behind))
        _take_away(behind, vector)
        tokens_behind -= sizes[index]
        _add(before, vector)
        tokens_before += sizes[index]
        while tokens_before - sizes[first] >= _WINDOW_TOKENS:
            _take_away(before, vectors[first])
            tokens_before -= sizes[first]
            first += 1
    return found


def _add(total: Weights, vector: Weights) -> None:
    for word, weight in vector.items():
        total[word] = total[word] + weight if word in total else weight


def _take_away(total: Weights, vector: Weights) -> None:
    for word, weight in vector.items():
        total[word] -= weight
        if total[word] < _NOTHING:
            del total[word]


def _cosine(one: Weights, other: Weights) -> float:
    product = length = other_length = 0.0
    for word, weight in one.items():
        length += weight * weight
        if word in other:
            product += weight * other[word]
    for weight in other.values():
        other_length += weight * weight
    return product / sqrt(length * other_length) if product else 0.0
