"""The part of a rendered chunk that answers best."""

from collections.abc import Sequence

from ragcrawler.retrieval.words import words


def best_window(lines: Sequence[str], query: str, height: int) -> range:
    """Numbers of at most `height` neighbouring lines with most of the query's words; of equals, the first."""
    wanted = set(words(query))
    found = [wanted.intersection(words(line)) for line in lines]
    starts = range(max(1, len(lines) - height + 1))
    start = max(starts, key=lambda first: len(set().union(*found[first : first + height])))
    return range(start, min(start + height, len(lines)))
