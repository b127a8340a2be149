"""Whether words that are said to be of a text are."""

import re
import unicodedata

# Fewer prove nothing: "the" is in every text.
_LEAST_LETTERS = 8
_LINE_MARKS = re.compile(r"[#>|]+")
_MARKUP = re.compile(r"\]\([^)\s]*\)|[*_`~\\\[\]]")
_ALIKE = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)


def is_quoted(quote: str, text: str) -> bool:
    """Whether the text holds the quote, apart from case, white space, Markdown and the kind of its marks.

    A quote that begins or ends within a word is none, nor is one of less than eight letters and digits.
    """
    wanted = _plain(quote)
    if sum(character.isalnum() for character in wanted) < _LEAST_LETTERS:
        return False
    before = r"(?<!\w)" if wanted[0].isalnum() else ""
    after = r"(?!\w)" if wanted[-1].isalnum() else ""
    return bool(re.search(before + re.escape(wanted) + after, _plain(text)))


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_ALIKE)
    bare = _MARKUP.sub("", _LINE_MARKS.sub(" ", folded))
    return " ".join(bare.split()).strip(" .,;:!?\"'-")
