"""Mark the blocks of a page that trafilatura keeps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from lxml import html

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.extractor_text import Vote

_KEPT_SHARE = 0.5
_ANCHORING_WORDS = 8
_STRAY_DISTANCE = 3


@dataclass(frozen=True, slots=True)
class Words:
    """Words below each element.

    Attributes:
        all: every word.
        voted: those that the extractor kept.
        linked: those in links.
    """

    all: Mapping[html.HtmlElement, int]
    voted: Mapping[html.HtmlElement, int]
    linked: Mapping[html.HtmlElement, int]


@dataclass(frozen=True, slots=True)
class Ballot:
    """Which blocks the extractor voted for.

    Attributes:
        vote: its verdict.
        voted: one answer a block.
        words: the words below each element.
    """

    vote: Vote
    voted: tuple[bool, ...]
    words: Words


def count_votes(blocks: list[Block], vote: Vote) -> Ballot:
    """A block is voted for if the extractor kept at least half of its word triples."""
    voted = [vote.share_of(block.words) >= _KEPT_SHARE for block in blocks]
    _drop_strays(blocks, voted)
    linked = _sums((block, block.link_words) for block in blocks if block.link_words)
    words = Words(word_sums(blocks, [True] * len(blocks)), word_sums(blocks, voted), linked)
    return Ballot(vote, tuple(voted), words)


def word_sums(blocks: Iterable[Block], keep: Iterable[bool]) -> dict[html.HtmlElement, int]:
    """The words of kept blocks below each element."""
    return _sums((block, len(block.words)) for block, kept in zip(blocks, keep, strict=True) if kept)


def _sums(counts: Iterable[tuple[Block, int]]) -> dict[html.HtmlElement, int]:
    """The counts below each element, in time linear in the elements: each adds its sum to its parent once."""
    sums: dict[html.HtmlElement, int] = {}
    steps: list[tuple[tuple[html.HtmlElement, ...], int]] = []  # no element before the one around it
    for block, count in counts:
        new = 0
        for element in block.path:
            if element in sums:
                break
            sums[element] = 0
            new += 1
        sums[block.element] += count
        steps.append((block.path, new))
    for path, new in reversed(steps):
        for inner, outer in pairwise(path[: new + 1]):
            sums[outer] += sums[inner]
    return sums


def count_words(blocks: Iterable[Block], keep: Iterable[bool]) -> int:
    """The words of the kept blocks."""
    return sum(len(block.words) for block, kept in zip(blocks, keep, strict=True) if kept)


def _drop_strays(blocks: list[Block], voted: list[bool]) -> None:
    """Short blocks far outside the main run match the vote by chance."""
    anchors = [i for i, block in enumerate(blocks) if voted[i] and len(block.words) >= _ANCHORING_WORDS]
    if anchors:
        first, last = anchors[0] - _STRAY_DISTANCE, anchors[-1] + _STRAY_DISTANCE
        voted[:] = [kept and first <= index <= last for index, kept in enumerate(voted)]
