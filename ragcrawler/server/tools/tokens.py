"""How many tokens a text takes at most, without the tokenizer of whoever reads it."""

import math
import re

_PIECE = re.compile(r"[A-Za-z0-9]{25,}|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|\s+|[^\W\d_]|.", re.DOTALL)
_LETTERS = 5.5  # of a word of text a token; rare words take more, which the marks beside them make up for
_LONGEST_WORD = 14
_LETTERS_OF_NOISE = 1.1  # base64, hashes, names run together
_DIGITS = 3
_FOREIGN_LETTER = 1.4  # a letter of another script
_SYMBOL = 3.0  # an emoji or a rare sign


def count_tokens(text: str) -> int:
    """An upper estimate: over what cl100k_base counts for prose, tables and code of every script tried."""
    return math.ceil(sum(_weight(piece[0]) for piece in _PIECE.finditer(text)))


def is_over(text: str, tokens: int) -> bool:
    """Whether a text takes more than so many tokens; reads no further than it has to."""
    return fitting_length(text, tokens) < len(text)


def fitting_length(text: str, tokens: int) -> int:
    """How many characters of a text take at most so many tokens; only a very long word is cut."""
    left, length = float(tokens), 0
    for piece in _PIECE.finditer(text):
        weight = _weight(piece[0])
        if weight > left:
            # No part of a word takes more tokens than it has letters.
            return length + (int(left) if len(piece[0]) > _LONGEST_WORD else 0)
        left -= weight
        length = piece.end()
    return length


def _weight(piece: str) -> float:
    first = piece[0]
    if not first.isascii():
        return _FOREIGN_LETTER if first.isalpha() else _SYMBOL
    if piece.isdigit():
        return math.ceil(len(piece) / _DIGITS)
    if first.isalnum():
        per_token = _LETTERS if len(piece) <= _LONGEST_WORD else _LETTERS_OF_NOISE
        return math.ceil(len(piece) / per_token)
    if first.isspace():
        return 0.0 if piece == " " else 1.0
    return 1.0
