"""The words of a text as numbers, without a vocabulary."""

import math
import re
import zlib
from collections import Counter

_WORD = re.compile(r"\w+")


def hashed_words(text: str) -> dict[int, float]:
    """CRC-32 of each word, in lower case, to its weight 1 + ln(occurrences); together of length 1.

    A text without a word counts as one word, so that no vector is empty.
    """
    words = Counter(_WORD.findall(text.lower()) or [text])
    weights: dict[int, float] = {}
    for word, count in words.items():
        number = zlib.crc32(word.encode("utf-8", "surrogatepass"))
        weights[number] = weights.get(number, 0.0) + 1 + math.log(count)
    length = math.hypot(*weights.values())
    return {number: weight / length for number, weight in weights.items()}
