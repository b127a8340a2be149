"""Counting tokens: the Protocol; counters stand below it."""

from collections.abc import Sequence
from typing import Protocol


class TokenCounter(Protocol):
    """Counts a text's tokens as the embedding model will, without its special tokens."""

    @property
    def limit(self) -> int:
        """Tokens that fit into the model's input, the special tokens' room already taken off."""

    def count(self, text: str) -> int:
        """Tokens of one text."""

    def count_batch(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; much cheaper than one by one."""
