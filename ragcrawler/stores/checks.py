"""What every store checks before it writes or searches: one bad chunk is named, and nothing is half done."""

import json
import math
from collections.abc import Callable, Sequence
from uuid import UUID

from ragcrawler.items import SemanticChunk, SparseVector, Vectors
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import CollectionModels, SearchMode, StoreError


def check_chunks(
    chunks: Sequence[SemanticChunk], models: CollectionModels, stored_ids: Callable[[Sequence[str]], set[str]]
) -> None:
    """Refuse chunks that the collection cannot hold; `stored_ids` tells which of some ids it has.

    Raises:
        StoreError: names the first such chunk, what is wrong with it, and what to do.
    """
    for chunk in chunks:
        _check_chunk(chunk, models)
    written = {chunk.id for chunk in chunks if chunk.vectors is not None}
    bare = [chunk for chunk in chunks if chunk.vectors is None and chunk.id not in written]
    known = stored_ids([chunk.id for chunk in bare]) if bare else set()
    for chunk in bare:
        if chunk.id not in known:
            raise StoreError(
                f"{_name(chunk)} has no vectors and is not in the collection yet. Embed it first."
            )


def check_query(query: Vectors, models: CollectionModels, mode: SearchMode, limit: int) -> None:
    """Refuse a query that does not fit the collection.

    Raises:
        StoreError: names what is wrong, and what to do.
    """
    if limit < 1:
        raise StoreError(f"Cannot search for {limit} hits: ask for at least 1.")
    if mode != "sparse":
        _check_dense(query.dense, models, "The query")
    if mode != "dense":
        _check_sparse(query.sparse, "The query")


def point_id(chunk_id: str) -> str | None:
    """The id in the one spelling that the engines use, None where it is not a UUID."""
    try:
        return str(UUID(chunk_id))
    except ValueError:
        return None


def point_ids(chunk_ids: Sequence[str]) -> list[str]:
    """The ids that can be a point's, in order; what is not a UUID names no point."""
    return [known for known in map(point_id, chunk_ids) if known is not None]


def _check_chunk(chunk: SemanticChunk, models: CollectionModels) -> None:
    if point_id(chunk.id) != chunk.id:
        raise StoreError(
            f"{_name(chunk)}: its id {chunk.id!r} is no UUID in lower case. Make ids with the chunker."
        )
    try:
        json.dumps(chunk_payload(chunk), ensure_ascii=False).encode()
    except (UnicodeEncodeError, TypeError) as error:
        raise StoreError(
            f"{_name(chunk)} cannot be stored as JSON: {error}. Convert its page anew."
        ) from error
    if chunk.vectors is not None:
        _check_dense(chunk.vectors.dense, models, _name(chunk))
        _check_sparse(chunk.vectors.sparse, _name(chunk))


def _name(chunk: SemanticChunk) -> str:
    return f"Chunk {chunk.chunk_id!r} of {chunk.source_url!r}"


def _check_sparse(sparse: SparseVector, name: str) -> None:
    if len(sparse.indices) != len(sparse.values):
        raise StoreError(
            f"{name}: its sparse vector has {len(sparse.indices)} indices and {len(sparse.values)} values. "
            "Embed it again."
        )
    if len(set(sparse.indices)) != len(sparse.indices):
        raise StoreError(f"{name}: its sparse vector names an index twice. Embed it again.")
    if not math.isfinite(sum(sparse.values)):
        raise StoreError(f"{name}: its sparse vector holds a value that is no number. Embed it again.")


def _check_dense(dense: Sequence[float], models: CollectionModels, name: str) -> None:
    if len(dense) != models.dense_dimensions:
        raise StoreError(
            f"{name}: its dense vector has {len(dense)} dimensions, the collection of {models.dense!r} has "
            f"{models.dense_dimensions}. Use the collection's model, or another collection."
        )
    if not math.isfinite(sum(dense)):
        raise StoreError(f"{name}: its dense vector holds a value that is no number. Embed it again.")
