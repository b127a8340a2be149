"""Words of a text, as the lexical rankings count them."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import cache, lru_cache
from itertools import pairwise

# Kana, Han and Hangul: cut into pairs of characters, since no space tells where a word ends.
_PAIRED = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_JOINED = re.compile(r"[^\W_]+(?:[-_.:]+[^\W_]+)*")
_PART = re.compile(rf"[{_PAIRED}]+|[^\W_{_PAIRED}]+")
_MARK_OF_A_NAME = re.compile(r"[_.:\d]")
_HYPHENS_OF_A_NAME = 2

# English words that say nothing of a passage's subject; without them a question costs a third of the time.
_STOP_WORD_LINES = """
a an and are as at be but by can do does for from has have how i if in into is it its my not of on or such
that the their then there these they this to was were what when where which who why will with you your
"""
ENGLISH_STOP_WORDS = frozenset(_STOP_WORD_LINES.split())

Stem = Callable[[str], str]


def words(
    text: str, *, stem: Stem | None = None, stop_words: Collection[str] = ENGLISH_STOP_WORDS
) -> Iterator[str]:
    """The words in order: case folded, in compatibility form, stop words left out, the others as stems.

    A name (`os.path`, `INC-2023-Q4`, `git-for-each-ref`) counts whole as well as by its parts: that is, what
    is joined by `_`, `.` or `:`, holds a digit, or has more than one hyphen. A run of kana, Han or Hangul
    gives its pairs of neighbouring characters. `stem` is that of Snowball for English where it is None.
    """
    stem = stem or snowball("english")
    for joined in _JOINED.findall(unicodedata.normalize("NFKC", text).casefold()):
        parts = _PART.findall(joined)
        if len(parts) > 1 and _is_name(joined, parts):
            yield joined
        for part in parts:
            if "\u3041" <= part[0] <= "\ufaff" and len(part) > 1:
                yield from map("".join, pairwise(part))
            elif part not in stop_words:
                yield stem(part)


@cache
def snowball(language: str) -> Stem:
    """The stemmer of a language, "english" say.

    Raises:
        ValueError: there is none of this name.
    """
    from py_rust_stemmers import SnowballStemmer  # type: ignore[attr-defined]  # compiled, without stubs

    return lru_cache(maxsize=100_000)(SnowballStemmer(language).stem_word)


def _is_name(joined: str, parts: list[str]) -> bool:
    """Not "e.g.", and not "birth-weight": text writes such words as two just as often."""
    if max(map(len, parts)) == 1:
        return False
    return bool(_MARK_OF_A_NAME.search(joined)) or joined.count("-") >= _HYPHENS_OF_A_NAME
