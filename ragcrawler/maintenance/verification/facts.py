"""Facts about a single point."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

from ragcrawler.catalogue import ChunkRecord
from ragcrawler.chunking.output.identity import content_hash, is_embed_hash
from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores import CollectionModels, StoredPoint
from ragcrawler.stores.payload import chunk_from_payload
from ragcrawler.stores.point_checksum import payload_checksum, vector_checksum

_LENGTH_TOLERANCE = 0.01


class PointFacts(NamedTuple):
    """A point in short: enough to hold it against the catalogue.

    Attributes:
        point_id: its own id.
        document_id: of the document that its payload names, "" where it names none.
        payload_hash: of its payload, "" where that is no chunk's, or contradicts itself.
        embed_hash: of what it says was embedded, "" likewise.
        content_hash: of its content, "" where there is none.
        previous: id of the chunk before, as it says.
        next: id of the chunk after, as it says.
        position: in its document, as it says.
        vector_fault: what is wrong with its vectors, "" for nothing.
        model_fault: that its text was embedded by another model, "" for not.
        payload_checksum: of all its payload.
        vector_checksum: of all its vectors.
    """

    point_id: str
    document_id: str
    payload_hash: str
    embed_hash: str
    content_hash: str
    previous: str
    next: str
    position: int
    vector_fault: str
    model_fault: str
    payload_checksum: str
    vector_checksum: str

    @classmethod
    def of(cls, point: StoredPoint, models: CollectionModels) -> Self:
        """Look at a point of a collection with these models."""
        chunk = _chunk(point)
        vector_fault = _dense_fault(point.dense, models.dense_dimensions) or _sparse_fault(point.sparse)
        if chunk is None:
            document_id = point.payload.get("document_id")
            named = document_id if isinstance(document_id, str) else ""
            return cls(point.id, named, "", "", "", "", "", 0, vector_fault, "", "", "")
        is_sound = chunk.id == point.id and chunk.content_hash == content_hash(chunk.content)
        return cls(
            point_id=point.id,
            document_id=chunk.document_id,
            payload_hash=ChunkRecord.of(chunk).payload_hash if is_sound else "",
            embed_hash=chunk.embed_hash,
            content_hash=content_hash(chunk.content),
            previous=chunk.prev_chunk_id,
            next=chunk.next_chunk_id,
            position=chunk.position,
            vector_fault=vector_fault,
            model_fault=_model_fault(chunk, models) if is_sound else "",
            payload_checksum=payload_checksum(point),
            vector_checksum=vector_checksum(point),
        )


def model_name(models: CollectionModels) -> str:
    """Both models in one word, as it goes into every `embed_hash`."""
    return f"{models.dense}+{models.sparse}"


def _chunk(point: StoredPoint) -> SemanticChunk | None:
    try:
        chunk = chunk_from_payload(point.payload)
        _ = chunk.content.encode("utf-8", "surrogatepass"), chunk.embed_text.encode("utf-8", "surrogatepass")
        return chunk if isinstance(chunk.position, int) else None
    except (KeyError, TypeError, AttributeError, ValueError):
        return None


def _dense_fault(dense: Sequence[float] | None, dimensions: int) -> str:
    if dense is None:
        return "no dense vector"
    if len(dense) != dimensions:
        return f"dense vector of {len(dense)} dimensions, not {dimensions}"
    if not math.isfinite(sum(dense)):
        return "dense vector with a value that is no number"
    # Collections measure by cosine: stores keep every vector with length 1.
    length = math.hypot(*dense)
    return "" if abs(length - 1) <= _LENGTH_TOLERANCE else f"dense vector of length {length:.3g}, not 1"


def _sparse_fault(sparse: SparseVector | None) -> str:
    if sparse is None:  # of a text without a word that the model knows
        return ""
    if len(sparse.indices) != len(sparse.values):
        return f"sparse vector of {len(sparse.indices)} indices and {len(sparse.values)} values"
    return "" if math.isfinite(sum(sparse.values)) else "sparse vector with a value that is no number"


def _model_fault(chunk: SemanticChunk, models: CollectionModels) -> str:
    # What an earlier chunker cut is whole: the next crawl cuts it anew.
    if is_embed_hash(chunk.embed_hash, chunk.embed_text, model_name(models)):
        return ""
    return f"not embedded by {model_name(models)}"
