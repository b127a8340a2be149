"""Whether words that are said to be of a text are."""

import re
import unicodedata

# Fewer prove nothing: "the" is in every text.
_LEAST_LETTERS = 8
# Thai to Khmer, kana and Han: no space tells where a word ends, and a character says as much as two letters.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_LINK_TARGET = re.compile(r"""\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)""")
_LINE_MARKS = re.compile(r"[#>|]+")
_MARKUP = re.compile(r"[*_`~\\\[\]]")
_ALIKE = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)


def is_quoted(quote: str, text: str) -> bool:
    """Whether the text holds the quote, apart from case, white space, Markdown and the kind of its marks.

    A quote that begins or ends within a word is none, nor is one of less than eight letters and digits, or
    four characters of a script without spaces.
    """
    wanted = _plain(quote)
    unspaced = len(_UNSPACED_CHARACTER.findall(wanted))
    if sum(character.isalnum() for character in wanted) + unspaced < _LEAST_LETTERS:
        return False
    before = rf"(?<![^\W{_UNSPACED}])" if _is_of_a_word(wanted[0]) else ""
    after = rf"(?![^\W{_UNSPACED}])" if _is_of_a_word(wanted[-1]) else ""
    return bool(re.search(before + re.escape(wanted) + after, _plain(text)))


def _is_of_a_word(character: str) -> bool:
    return character.isalnum() and not _UNSPACED_CHARACTER.match(character)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_ALIKE)
    # The targets of links first: of an anchor, the marks of lines leave two words.
    bare = _MARKUP.sub("", _LINE_MARKS.sub(" ", _LINK_TARGET.sub("]", folded)))
    return " ".join(bare.split()).strip(" .,;:!?\"'-")
