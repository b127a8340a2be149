"""Where a text holds the words of a question."""

import re
from collections.abc import Collection, Iterator

from ragcrawler.stores.ranking.words import words

_WRITTEN = re.compile(r"[^\W_]+(?:[-_.:]+[^\W_]+)*")
_PART = re.compile(r"[^\W_]+")


def find_highlights(text: str, wanted: Collection[str]) -> Iterator[tuple[int, int]]:
    """Start and end of each word whose stem is wanted; of a name whole, or of its parts."""
    for written in _WRITTEN.finditer(text):
        if written[0].casefold() in wanted:
            yield written.span()
            continue
        for part in _PART.finditer(written[0]):
            if not set(words(part[0])).isdisjoint(wanted):
                yield written.start() + part.start(), written.start() + part.end()
