"""A fingerprint by which near-duplicate texts are recognised."""

import hashlib
import re
from collections.abc import Iterator

# The number of hashes: their estimate of a similarity of 0.95 is right to 0.02 (one standard deviation).
PERMUTATIONS = 128
FACTS_DIGITS = 16

_SEED = 20
_SHINGLE_WORDS = 4
_MAX_WORDS = 200_000
_MAX_CHARACTERS = 4_000_000
_LINK_TARGET = re.compile(r"\]\([^()]*+\)")
# Scripts without spaces: each character counts as a word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"`[^`\n]++`")
_HAS_DIGIT = re.compile(r"\d")


def near_hash(markdown: str, *, min_words: int) -> str:
    """The fingerprint of a document: hexadecimal digits, "" for a text too short or too long to have one.

    It has two parts. The first is a hash of what names things: headings, tables, code, and every word with a
    digit in it. Two texts in which any of that differs are never near-duplicates: the page of another
    version, of another command or with another value in a table says something else, however alike the rest.
    The second is a MinHash (Broder 1997) of the sequences of four words, one byte a hash, for the prose.
    Where links lead does not count: copies of a page link to copies.

    Args:
        markdown: the document.
        min_words: of a text that has a fingerprint: in a short one every word counts.
    """
    from rensa import RMinHash

    if len(markdown) > _MAX_CHARACTERS:
        return ""
    text = _LINK_TARGET.sub("]", markdown)
    words = _WORD.findall(text.casefold())
    if not max(min_words, _SHINGLE_WORDS) <= len(words) <= _MAX_WORDS:
        return ""
    hashes = RMinHash(num_perm=PERMUTATIONS, seed=_SEED)
    hashes.update(
        [" ".join(words[at : at + _SHINGLE_WORDS]) for at in range(len(words) - _SHINGLE_WORDS + 1)]
    )
    facts = hashlib.sha256("\n".join(sorted(_facts(text))).encode("utf-8", "surrogatepass")).hexdigest()
    return facts[:FACTS_DIGITS] + bytes(_fold(value) for value in hashes.digest()).hex()


def _facts(text: str) -> Iterator[str]:
    fence = ""
    for line in text.splitlines():
        match = _FENCE.match(line)
        if fence or match:
            yield line
            if match:
                fence = _next_fence(fence, match.group(1))
        elif line.lstrip().startswith(("#", "|")):
            yield line.strip()
        else:
            yield from _CODE_SPAN.findall(line)
            yield from (word for word in line.split() if _HAS_DIGIT.search(word))


def _next_fence(fence: str, mark: str) -> str:
    if not fence:
        return mark
    return "" if mark[0] == fence[0] and len(mark) >= len(fence) else fence


def _fold(value: int) -> int:
    # Fibonacci hashing: the upper bits of the product depend on all of the value.
    return (value * 2_654_435_769 >> 24) & 0xFF
