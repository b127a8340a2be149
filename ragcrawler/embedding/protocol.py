"""The `Embedder` Protocol, for dense and sparse models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar, get_args

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.items import SparseVector

DenseVector = Sequence[float]
VectorT_co = TypeVar("VectorT_co", covariant=True)
Kind = Literal["dense", "sparse"]
KINDS: tuple[Kind, ...] = get_args(Kind)

# Which setting names the model of a kind: for messages that say what to do.
SETTINGS: Mapping[Kind, str] = {"dense": "EMBEDDING_MODEL", "sparse": "SPARSE_EMBEDDING_MODEL"}


class EmbeddingError(Exception):
    """A model is not available or does not work; the message names it and the next step.

    Attributes:
        reason: for which a page is lost by it.
    """

    reason = "embed_error"


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """The description of a model, known before it is loaded.

    Attributes:
        name: under which a collection remembers it, `BAAI/bge-base-en-v1.5`.
        kind: the kind of vector it makes.
        dimensions: length of a dense vector, 0 for a sparse model.
        limit_tokens: the longest input it reads, special tokens included.
        special_tokens: how many of these the special tokens take.
        fingerprint: SHA-256 of the weights' file, "" where they are remote; tells two builds of a name apart.
        origin: address of the service that runs it, "" where it runs here.
    """

    name: str
    kind: Kind
    dimensions: int
    limit_tokens: int
    special_tokens: int = 2
    fingerprint: str = ""
    origin: str = ""


class ModelUnavailableError(EmbeddingError):
    """The model as such cannot be used now: no text is to blame, and none would fare better alone."""


class Embedder(Protocol[VectorT_co]):
    """Turns texts into vectors; threads may share it."""

    @property
    def description(self) -> ModelDescription:
        """The model behind it."""

    @property
    def limits(self) -> BatchLimits:
        """The limits of one run, and the number of parallel runs."""

    def embed_batch(self, texts: Sequence[str]) -> Sequence[VectorT_co]:
        """One vector a text, in their order, by one run; not more texts than `limits` says."""

    def embed_documents(self, texts: Sequence[str]) -> Sequence[VectorT_co]:
        """One vector a text, in the order of the texts; any number of texts, memory bounded inside."""

    def embed_query(self, text: str) -> VectorT_co:
        """The vector of a question; some models embed these in their own way."""

    def close(self) -> None:
        """Give up what it holds; a call that still waits for a remote model fails at once."""


DenseEmbedder = Embedder[DenseVector]
SparseEmbedder = Embedder[SparseVector]
