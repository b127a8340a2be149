"""Words of a text, as the lexical index counts them."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

# Kana, Han and Hangul: cut into pairs of characters, since no space tells where a word ends.
_PAIRED = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Letters and digits joined by - _ . or : are a name (`git-log`, `INC-2023-Q4`, `os.path`): it counts whole as
# well as by its parts.
_NAME = re.compile(r"[^\W_]+(?:[-_.:]+[^\W_]+)*")
_PART = re.compile(rf"[{_PAIRED}]+|[^\W_{_PAIRED}]+")

# English words that say nothing of a passage's subject; without them a question costs a third of the time.
_STOP_WORD_LINES = """
a an and are as at be but by can do does for from has have how i if in into is it its my not of on or such
that the their then there these they this to was were what when where which who why will with you your
"""
_STOP_WORDS = frozenset(_STOP_WORD_LINES.split())


def words(text: str) -> Iterator[str]:
    """The words in order: case folded, in compatibility form, stop words left out, English plurals cut.

    A run of kana, Han or Hangul gives its pairs of neighbouring characters.
    """
    for name in _NAME.findall(unicodedata.normalize("NFKC", text).casefold()):
        parts = _PART.findall(name)
        if len(parts) > 1:
            yield name
        for part in parts:
            if "\u3041" <= part[0] <= "\ufaff" and len(part) > 1:
                yield from map("".join, pairwise(part))
            elif part not in _STOP_WORDS:
                yield _singular(part)


def _singular(word: str) -> str:
    """The S-stemmer of Harman, "How effective is suffixing?" (1991)."""
    if len(word) < 4 or not word.endswith("s"):  # noqa: PLR2004  # shorter ones are rarely plurals: "its", "gas"
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]
