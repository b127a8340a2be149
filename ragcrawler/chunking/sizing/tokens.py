"""Counting tokens: the Protocol that every counter follows."""

from collections.abc import Sequence
from typing import Protocol


class TokenCounter(Protocol):
    """Counts a text's tokens as the embedding model will, without its special tokens.

    A counter may say `additive = True`: the tokens of words that white space parts add up to those of the
    text, as they do with BERT's WordPiece. The chunker then needs no second count of what it made.
    """

    @property
    def limit(self) -> int:
        """Tokens that fit into the model's input, the special tokens' room already taken off."""

    def count(self, text: str) -> int:
        """Tokens of one text."""

    def count_batch(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; much cheaper than one by one."""


def is_additive(tokens: TokenCounter) -> bool:
    """Whether the counter says that the tokens of words add up to the tokens of their text."""
    return bool(getattr(tokens, "additive", False))
