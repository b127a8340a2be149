"""Reranking by a cross-encoder: a small model that reads question and document together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragcrawler.retrieval.search_index import LooseDocument, document_text

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

# The architecture under whose name fastembed loads a folder; all of them are read alike.
_ANY_KNOWN = "Xenova/ms-marco-MiniLM-L-6-v2"
_BATCH = 4


@dataclass(frozen=True, slots=True)
class CrossEncoderConfig:
    """Which cross-encoder, and how it runs.

    Attributes:
        model: a name that fastembed knows, or a folder with `onnx/model.onnx`, tokenizer and configuration.
        cache_dir: where downloaded models lie; None for fastembed's own place.
        offline: never ask the model hub.
        threads: of one run.
    """

    model: str = _ANY_KNOWN
    cache_dir: Path | None = None
    offline: bool = False
    threads: int = 1


class CrossEncoderReranker:
    """A `Reranker` that loads its model at the first question."""

    def __init__(self, config: CrossEncoderConfig) -> None:
        self._config = config
        self._model: TextCrossEncoder | None = None

    def __call__(self, documents: Sequence[LooseDocument], query: str, k: int) -> list[Any]:
        """The ids of the `k` best; equals stay in the order given.

        Raises:
            Exception: the model cannot be had; fastembed knows no narrower kind.
        """
        if self._model is None:
            self._model = _load(self._config)
        texts = [document_text(document) for document in documents]
        scores = list(self._model.rerank(query, texts, batch_size=_BATCH))
        best = sorted(range(len(scores)), key=lambda number: -scores[number])
        return [documents[number]["id"] for number in best[:k]]


def _load(config: CrossEncoderConfig) -> "TextCrossEncoder":
    from fastembed.rerank.cross_encoder import TextCrossEncoder
    from loguru import logger

    logger.disable("fastembed")  # what it logs it raises as well
    folder = Path(config.model)
    return TextCrossEncoder(
        _ANY_KNOWN if folder.is_dir() else config.model,
        cache_dir=str(config.cache_dir) if config.cache_dir else None,
        threads=config.threads,
        specific_model_path=str(folder) if folder.is_dir() else None,
        local_files_only=config.offline,
    )
