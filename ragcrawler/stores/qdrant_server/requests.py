"""A Qdrant server's requests, made from ours."""

from typing import TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import CollectionModels
from ragcrawler.stores.ranking.word_weights import document_weights

if TYPE_CHECKING:
    from qdrant_client import models


def server_point(chunk: SemanticChunk, vectors: Vectors, kept: CollectionModels) -> "models.PointStruct":
    """The point of a chunk, with its words' weights and its token vectors where the collection has them."""
    from qdrant_client import models

    named: dict[str, Any] = {"dense": floats(vectors.dense)}
    if len(vectors.sparse.indices):
        named["sparse"] = server_sparse(vectors.sparse)
    if kept.words and len((weights := document_weights(chunk.embed_text)).indices):
        named["bm25"] = server_sparse(weights)
    if kept.tokens and vectors.tokens:
        named["tokens"] = [floats(each) for each in vectors.tokens]
    return models.PointStruct(id=chunk.id, vector=named, payload=chunk_payload(chunk))


def point_bytes(chunk: SemanticChunk) -> int:
    """An upper estimate of the point as JSON: text at four bytes a character, numbers at twenty digits."""
    numbers = len(chunk.vectors.dense) + 2 * len(chunk.vectors.sparse.indices) if chunk.vectors else 0
    numbers += sum(map(len, chunk.vectors.tokens)) if chunk.vectors else 0
    numbers += len(chunk.embed_text)  # two for each word, of which the shortest take a letter and a space
    text = len(chunk.content) + len(chunk.embed_text) + len(chunk.extra.full_text)
    return 4 * text + 20 * numbers


def payload_update(chunk: SemanticChunk) -> "models.OverwritePayloadOperation":
    """The replacement of a point's payload; its vectors stay."""
    from qdrant_client import models

    return models.OverwritePayloadOperation(
        overwrite_payload=models.SetPayload(payload=chunk_payload(chunk), points=[chunk.id])
    )


def server_sparse(vector: SparseVector) -> "models.SparseVector":
    """The vector in the client's own type."""
    from qdrant_client import models

    return models.SparseVector(indices=[int(index) for index in vector.indices], values=floats(vector.values))


def floats(values: Any) -> list[float]:
    """Numbers of any kind, NumPy's say, as JSON can hold them."""
    return [float(value) for value in values]
