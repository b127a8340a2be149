"""The embedders without a model under their names."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.hashing_embedders import (
    HASHING_DENSE,
    HASHING_SPARSE,
    HashingDense,
    HashingSparse,
)
from ragcrawler.embedding.hub.probe import HubProbe
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.protocol import EmbeddingError, Kind, ModelDescription

_LONGEST_WORD = 16  # a run without a space, however long, counts as so many characters a token


class HashingFamily:
    """One of each kind; they need nothing."""

    def names(self, kind: Kind) -> Sequence[str]:
        """The one name there is."""
        return [_description(kind).name]

    def describe(self, name: str, kind: Kind) -> ModelDescription | None:
        """The description; None for another name."""
        return _description(kind) if name == _description(kind).name else None

    def require(self, description: ModelDescription, config: EmbeddingConfig, hub: HubProbe) -> None:
        """Return: it is always here."""

    def locate(self, description: ModelDescription, config: EmbeddingConfig) -> ModelPlace:  # noqa: ARG002 - the Protocol's
        """In this program: it is arithmetic alone."""
        return ModelPlace("program", "ragcrawler")

    def tokenizer(self, description: ModelDescription, config: EmbeddingConfig) -> Path:  # noqa: ARG002 - the Protocol's
        """A tokenizer that counts words and signs; written to the cache on first use.

        Raises:
            EmbeddingError: the cache cannot be written.
        """
        path = config.cache_dir / f"words-{_LONGEST_WORD}" / "tokenizer.json"
        if not path.is_file():
            try:
                _write_whole(path, _word_tokenizer())
            except OSError as error:
                raise EmbeddingError(
                    f"{path} cannot be written ({error}): choose a writable cache_dir"
                ) from error
        return path

    def open_dense(self, description: ModelDescription, config: EmbeddingConfig) -> HashingDense:  # noqa: ARG002 - as above
        return HashingDense()

    def open_sparse(self, description: ModelDescription, config: EmbeddingConfig) -> HashingSparse:  # noqa: ARG002 - as above
        return HashingSparse()


def _description(kind: Kind) -> ModelDescription:
    return HASHING_DENSE if kind == "dense" else HASHING_SPARSE


def _word_tokenizer() -> str:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))  # noqa: S106 - a token of text
    cut = pre_tokenizers.Split(Regex(f".{{1,{_LONGEST_WORD}}}"), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), cut])
    return str(tokenizer.to_str())


def _write_whole(path: Path, content: str) -> None:
    """Write by a rename: another process sees the whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
    Path(temporary).replace(path)
