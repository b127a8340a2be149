"""`ragcrawler.search`: one question to a collection, from a script or a notebook."""

import warnings
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from ragcrawler.api.errors import RagcrawlerError
from ragcrawler.bootstrap.models.owner_embedders import QuestionEmbedders, question_embedders
from ragcrawler.bootstrap.retriever import open_retriever_with
from ragcrawler.config.configuration import Configuration
from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval import RetrievalMode
from ragcrawler.retrieval.passage import Context, Passage, passages, single_passages
from ragcrawler.stores import ChunkStore, CollectionModels
from ragcrawler.stores.owner.owned_store import OwnedStore

if TYPE_CHECKING:
    from collections.abc import Iterator


class KeptEmbedders:
    """Opens embedders, and keeps the last ones that run in this process; one thread at a time."""

    def __init__(self) -> None:
        self._key: object = None
        self._kept: QuestionEmbedders | None = None

    def __call__(
        self, configuration: Configuration, store: ChunkStore, remembered: CollectionModels
    ) -> QuestionEmbedders:
        """The embedders of a collection; see `question_embedders`."""
        if isinstance(store, OwnedStore):
            return question_embedders(configuration, store, remembered)
        names = (configuration.dense_model, configuration.sparse_model)
        key = (names, configuration.embedding, remembered)
        if self._kept is None or key != self._key:
            self._kept, self._key = question_embedders(configuration, store, remembered), key
        return self._kept


# One question at a time: an embedded collection is opened by one, and models are not for several threads.
_turn = Lock()
_models = KeptEmbedders()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage that was found.

    Attributes:
        rank: from 1, best first.
        score: higher is better; comparable only within one answer.
        id: of the best chunk.
        title: of the document.
        section_path: the headings above it.
        link: the page, with the anchor of the nearest heading.
        source_url: of the document.
        document_id: of the document.
        text: Markdown, with links and pictures by their labels.
        suspicious: parts of the text that read like instructions to a model.
        chunks: what it is made of, neighbours included, in the order of the document.
    """

    rank: int
    score: float
    id: str
    title: str
    section_path: tuple[str, ...]
    link: str
    source_url: str
    document_id: str
    text: str
    suspicious: tuple[str, ...]
    chunks: tuple[SemanticChunk, ...]

    @property
    def url(self) -> str:
        """The former name of `source_url`."""
        return _renamed(self.source_url, "url", "source_url")

    @property
    def chunk_id(self) -> str:
        """The former name of `id`."""
        return _renamed(self.id, "chunk_id", "id")


def search(
    query: str,
    k: int = 5,
    *,
    mode: RetrievalMode = "hybrid",
    filters: Sequence[str] = (),
    context: Context = 0,
    settings: Mapping[str, object] | None = None,
) -> list[SearchHit]:
    """The best passages for a question, best first.

    The collection is opened for the question alone, so a crawl may follow; the models stay loaded for the
    next one. For many questions in a row `ragcrawler.open_retriever` keeps both open. Any thread may call it.

    Args:
        query: the question.
        k: how many hits at most; with `context` those that touch are one passage.
        mode: "hybrid", "dense", "sparse" or "bm25".
        filters: conditions like "chunk_type=code", all of which must hold.
        context: how many neighbours on each side are joined to a hit, or "section".
        settings: settings by their names, `{"OUTPUT_DIR": "output/demo"}` say.

    Raises:
        RagcrawlerError: there is no such collection, a model is not available, or an argument is invalid.
    """
    with _turn, _one_error(), open_retriever_with(_models, settings or {}) as retriever:
        found = retriever.search(query, k, mode=mode, filters=list(filters))
        made = passages(retriever.store, found, context) if context else single_passages(found)
        return [_hit(rank, passage) for rank, passage in enumerate(made, start=1)]


def _renamed(value: str, old: str, new: str) -> str:
    warnings.warn(
        f"SearchHit.{old} is now SearchHit.{new}; the next version has that alone.",
        DeprecationWarning,
        stacklevel=3,
    )
    return value


@contextmanager
def _one_error() -> "Iterator[None]":
    from ragcrawler.bootstrap.start_error import StartError
    from ragcrawler.embedding.protocol import EmbeddingError
    from ragcrawler.llm.protocol import LanguageModelError
    from ragcrawler.stores import StoreError

    try:
        yield
    except (StartError, StoreError, EmbeddingError, LanguageModelError, ValueError) as error:
        raise RagcrawlerError(str(error)) from error


def _hit(rank: int, passage: Passage) -> SearchHit:
    best = passage.hits[0]
    return SearchHit(
        rank=rank,
        score=passage.score,
        id=best.id,
        title=passage.title,
        section_path=passage.section_path,
        link=passage.link,
        source_url=best.source_url,
        document_id=best.document_id,
        text=passage.text,
        suspicious=passage.suspicious,
        chunks=passage.chunks,
    )
