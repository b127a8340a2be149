"""The part of a rendered chunk that answers best."""

from collections.abc import Sequence
from itertools import takewhile

from ragcrawler.stores.ranking.words import words


def best_window(lines: Sequence[str], query: str, height: int) -> range:
    """Numbers of at most `height` neighbouring lines with most of the query's words.

    Of neighbouring windows that are equally good it is the middle one, which has text on both sides of the
    words; but the first, if the lines begin with it.
    """
    wanted = set(words(query))
    found = [wanted.intersection(words(line)) for line in lines]
    starts = range(max(1, len(lines) - height + 1))
    scores = [len(set().union(*found[start : start + height])) for start in starts]
    first = scores.index(max(scores))
    *_, last = takewhile(lambda start: scores[start] == scores[first], starts[first:])
    start = (first + last) // 2 if first else 0
    return range(start, min(start + height, len(lines)))
