"""Words that were divided at the end of a line."""

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIVIDED = re.compile(r"([^\W\d_]+)[-\u2010\xad]$")
_CONTINUED = re.compile(r"[^\W\d_]+")
_SHORTEST = 2  # letters before a hyphen that divides


class Hyphens:
    """Knows a document's words, and so what a hyphen at the end of a line means."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        divided: list[tuple[str, str]] = []
        last = ""
        for line in lines:
            parts = _parts(last, line)
            if parts:
                divided.append(parts)
            # what stands at a line's edge may be half a word
            self._words.update(word.casefold() for word in _WORD.findall(line.strip())[1:-1])
            last = line
        joined = sum((one + other).casefold() in self._words for one, other in divided)
        self._divides = joined > 0

    def join(self, before: str, after: str) -> tuple[str, str]:
        """The joined end of a line, and the separator to the next line; the hyphen may be dropped."""
        parts = _parts(before, after)
        if parts is None:
            return before, " "
        return (before[:-1] if self._is_divided(*parts) else before), ""

    def _is_divided(self, one: str, other: str) -> bool:
        if not other[0].islower():
            return False
        one, other = one.casefold(), other.casefold()
        if one + other in self._words:
            return True
        if f"{one}-{other}" in self._words or (one in self._words and other in self._words):
            return False
        return self._divides


def _parts(before: str, after: str) -> tuple[str, str] | None:
    divided, continued = _DIVIDED.search(before), _CONTINUED.match(after)
    if not divided or not continued or len(divided[1]) < _SHORTEST:
        return None
    return divided[1], continued[0]
