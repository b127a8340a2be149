"""Nearest vectors in memory: exact, for some ten thousand documents."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from ragcrawler.retrieval.search.search_index import LooseDocument, Scored, document_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vector = Sequence[float]
EmbeddingFunction = Callable[[list[str]], Sequence[Vector]]
Distance = Literal["cosine", "euclidean"]


class VectorIndex:
    """A `SearchIndex` by the nearness of vectors that `embedding_fn` makes of texts.

    The score is the cosine similarity, -1 to 1, or the negative Euclidean distance, at most 0. Vectors made
    elsewhere go in through `add_vector` and are searched by a vector as the query; then no `embedding_fn` is
    needed.
    """

    def __init__(
        self, embedding_fn: EmbeddingFunction | None = None, *, distance_metric: Distance = "cosine"
    ) -> None:
        """Start empty; `embedding_fn` takes a list of texts and gives one vector each, all of one length.

        Raises:
            ValueError: there is no such distance.
        """
        if distance_metric not in get_args(Distance):
            raise ValueError(f"There is no distance {distance_metric!r}: choose cosine or euclidean.")
        self._embedding_fn = embedding_fn
        self._cosine = distance_metric == "cosine"
        self._documents: list[LooseDocument] = []
        self._vectors: list[NDArray[np.float32]] = []
        self._matrix: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self._documents)

    def add_vector(self, vector: Vector, document: LooseDocument) -> None:
        """Make a document findable by a vector made elsewhere.

        Raises:
            ValueError: its length is not that of the vectors before it.
        """
        values = self._check(vector)
        self._documents.append(document)
        self._vectors.append(values)
        self._matrix = None

    def add_document(self, document: LooseDocument) -> None:
        self.add_documents([document])

    def add_documents(self, documents: Sequence[LooseDocument]) -> None:
        """See `SearchIndex`; all texts are embedded in one call."""
        if documents:
            vectors = self._embed([document_text(document) for document in documents])
            for vector, document in zip(vectors, documents, strict=True):
                self.add_vector(vector, document)

    def search(self, query: str | Vector, k: int = 1) -> list[Scored]:
        """See `SearchIndex`; the query may be a vector. Equal scores in the order of adding."""
        import numpy as np

        if not self._documents:
            return []
        wanted = self._check(self._embed([query])[0] if isinstance(query, str) else query)
        if self._matrix is None:
            self._matrix = np.stack(self._vectors)
        scores = self._matrix @ wanted if self._cosine else -np.linalg.norm(self._matrix - wanted, axis=1)
        best = np.argsort(-scores, kind="stable")[:k]
        return [(self._documents[number], float(scores[number])) for number in best]

    def _embed(self, texts: list[str]) -> Sequence[Vector]:
        if self._embedding_fn is None:
            raise ValueError(
                "This index embeds no texts: give it an embedding_fn, or add and search vectors."
            )
        return self._embedding_fn(texts)

    def _check(self, vector: Vector) -> "NDArray[np.float32]":
        """The vector, for cosines at length one, so that a dot product is one; zeros stay zeros."""
        import numpy as np

        values = np.asarray(vector, dtype=np.float32)
        if values.ndim != 1 or (self._vectors and values.shape != self._vectors[0].shape):
            expected = f"{self._vectors[0].size} numbers" if self._vectors else "numbers in a row"
            raise ValueError(f"A vector of shape {values.shape} does not fit: this index holds {expected}.")
        length = float(np.linalg.norm(values)) if self._cosine else 0.0
        return values / length if length else values
