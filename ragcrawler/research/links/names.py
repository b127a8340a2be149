"""Finds the names of rows in the words of links."""

from collections.abc import Iterable

from ragcrawler.research.evidence.plain_text import words

_MOST_WORDS = 8


class NameIndex:
    """Names, found by the words they are made of.

    Args:
        names: as pages write them.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = {found for name in names if (found := words(name)[:_MOST_WORDS])}
        self._lengths = sorted({len(name) for name in self._names})

    def is_named_in(self, text: str) -> bool:
        """Whether a text holds one of the names."""
        said = words(text)
        return any(
            said[start : start + length] in self._names
            for length in self._lengths
            for start in range(len(said) - length + 1)
        )
