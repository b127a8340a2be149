"""The folder of an ONNX model: its files and what they say about the model."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ragcrawler.embedding.protocol import EmbeddingError, Kind, ModelDescription

Pooling = Literal["mean", "cls"]

MODEL_FILES = ("model.onnx", "onnx/model.onnx")
_MOST_TOKENS = 1_000_000  # where a length is unknown, tokenizer_config.json holds 10**30


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with an ONNX model in the layout of sentence-transformers.

    Attributes:
        path: the folder.
        name: under which collections remember the model.
        model_file: the ONNX file, relative to the folder.
        known_fingerprint: of the weights, where it is not the ONNX file's hash.
    """

    path: Path
    name: str
    model_file: str = MODEL_FILES[0]
    known_fingerprint: str = ""

    @property
    def pooling(self) -> Pooling:
        """How the tokens' vectors become the text's.

        Raises:
            EmbeddingError: the folder does not say, or says something that is not supported.
        """
        modes = self._json("1_Pooling/config.json")
        if modes.get("pooling_mode_mean_tokens"):
            return "mean"
        if modes.get("pooling_mode_cls_token"):
            return "cls"
        raise EmbeddingError(
            f"{self.path}/1_Pooling/config.json names neither mean nor cls pooling: use such a model"
        )

    def describe(self, kind: Kind) -> ModelDescription:
        """The description by the folder's own files.

        Raises:
            EmbeddingError: a file is missing or does not say what is needed.
        """
        return ModelDescription(
            name=self.name,
            kind=kind,
            dimensions=int(self._json("config.json").get("hidden_size", 0)) if kind == "dense" else 0,
            limit_tokens=self._limit_tokens(),
            special_tokens=special_tokens(self.path / "tokenizer.json"),
            fingerprint=self.fingerprint,
        )

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the ONNX file, hexadecimal, unless another one is known.

        Raises:
            EmbeddingError: there is no such file.
        """
        if self.known_fingerprint:
            return self.known_fingerprint
        if not (self.path / self.model_file).is_file():
            raise EmbeddingError(f"{self.path} holds no {self.model_file}: put the model's ONNX file there")
        return file_hash(self.path / self.model_file)

    def _limit_tokens(self) -> int:
        """The tighter of what sentence-transformers and the tokenizer would read."""
        limits = [self._json("tokenizer_config.json").get("model_max_length")]
        if (self.path / "sentence_bert_config.json").is_file():
            limits.append(self._json("sentence_bert_config.json").get("max_seq_length"))
        usable = [limit for limit in limits if isinstance(limit, int) and 0 < limit <= _MOST_TOKENS]
        if not usable:
            raise EmbeddingError(
                f"{self.path} does not say how many tokens the model reads:"
                " set model_max_length in tokenizer_config.json"
            )
        return min(usable)

    def _json(self, name: str) -> dict[str, Any]:
        try:
            content = json.loads((self.path / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise EmbeddingError(
                f"{self.path / name} cannot be read ({error}): copy it from the model's repository"
            ) from error
        if not isinstance(content, dict):
            raise EmbeddingError(f"{self.path / name} is no JSON object: copy it from the model's repository")
        return content


def special_tokens(tokenizer_file: Path) -> int:
    """How many tokens the tokenizer puts around a text.

    Raises:
        EmbeddingError: there is no usable tokenizer in that file.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
    except Exception as error:  # the library raises nothing narrower
        raise EmbeddingError(
            f"{tokenizer_file} is no tokenizer ({error}): copy it from the model's repository"
        ) from error
    return int(tokenizer.num_special_tokens_to_add(is_pair=False))


def file_hash(path: Path) -> str:
    """SHA-256 of a file, hexadecimal; of a hub cache's blob, whose name is its hash, without reading it."""
    blob = path.resolve().name
    if path.is_symlink() and len(blob) == hashlib.sha256().digest_size * 2:
        return blob
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
