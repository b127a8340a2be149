"""Reranking by a cross-encoder: a small model that reads question and document together."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any
from weakref import finalize

from ragcrawler.retrieval.reranking.rerank import RERANK_SECONDS
from ragcrawler.retrieval.search.search_index import LooseDocument, document_text

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

# The architecture under whose name fastembed loads a folder; all of them are read alike.
_ANY_KNOWN = "Xenova/ms-marco-MiniLM-L-6-v2"
_BATCH = 4
# How long the end of the process waits for a batch, or for a model that is being loaded.
_LAST_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class CrossEncoderConfig:
    """Which cross-encoder, and how it runs.

    Attributes:
        model: a name that fastembed knows, or a folder with `onnx/model.onnx`, tokenizer and configuration.
        cache_dir: where downloaded models lie; None for fastembed's own place.
        offline: never ask the model hub.
        threads: of one run.
        seconds: after which a run ends by itself, between two batches.
    """

    model: str = _ANY_KNOWN
    cache_dir: Path | None = None
    offline: bool = False
    threads: int = 1
    seconds: float = RERANK_SECONDS


class CrossEncoderReranker:
    """A `Reranker` that loads its model at the first question; one run at a time.

    A run whose caller waits no more must not be in the engine when the interpreter ends: coming back from
    there it would abort the process. The end of the process therefore waits for it a little.
    """

    def __init__(self, config: CrossEncoderConfig) -> None:
        self._config = config
        self._model: TextCrossEncoder | None = None
        self._running = Lock()
        self._ending = Event()
        finalize(self, _end, self._running, self._ending)

    def __call__(self, documents: Sequence[LooseDocument], query: str, k: int) -> list[Any]:
        """The ids of the `k` best; equals stay in the order given.

        Raises:
            TimeoutError: it took longer than it may.
            Exception: the model is not available; fastembed raises nothing narrower.
        """
        until = time.monotonic() + self._config.seconds
        with self._running:
            scores = list(self._scores([document_text(document) for document in documents], query, until))
        best = sorted(range(len(scores)), key=lambda number: -scores[number])
        return [documents[number]["id"] for number in best[:k]]

    def _scores(self, texts: list[str], query: str, until: float) -> Iterator[float]:
        if self._model is None:
            self._model = _load(self._config)
        for score in self._model.rerank(query, texts, batch_size=_BATCH):
            if self._ending.is_set() or time.monotonic() > until:
                raise TimeoutError(f"not done within {self._config.seconds:g} s")
            yield score


def _end(running: Lock, ending: Event) -> None:
    ending.set()
    if running.acquire(timeout=_LAST_SECONDS):
        running.release()


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
