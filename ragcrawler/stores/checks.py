"""Checks of every store before it writes or searches; an error names the bad chunk, nothing is written."""

import json
import math
from collections.abc import Callable, Sequence
from uuid import UUID

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.payload import chunk_payload
from ragcrawler.stores.protocol import CollectionModels
from ragcrawler.stores.ranking.word_weights import WORDS_VERSION
from ragcrawler.stores.search_request import SearchRequest


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


def check_request(request: SearchRequest, models: CollectionModels, location: str) -> None:
    """Refuse a search that does not fit the collection.

    Raises:
        StoreError: names what is wrong, and what to do.
    """
    _check_numbers(request)
    if request.asks_tokens and not models.tokens:
        raise StoreError(
            f"The collection {location} holds no token vectors: `scrapy reindex --into NEW --switch` with "
            "TOKEN_VECTORS=1 makes one that does, or leave tokens out of the weights."
        )
    for ranking in request.rankings:
        if isinstance(ranking.vector, SparseVector):
            _check_sparse(ranking.vector, "The query")
        else:
            _check_dense(ranking.vector, models, "The query")
        _check_tokens(request.tokens, models, "The query")
        if ranking.leg == "bm25" and models.words != WORDS_VERSION:
            raise StoreError(
                f"The collection {location} was made by another version and holds no words to search by "
                "BM25: `scrapy reindex --into NEW --switch` adds them from the stored text, or search by its "
                "vectors only (--mode dense, --weights dense=1,sparse=1)."
            )


def _check_numbers(request: SearchRequest) -> None:
    if request.limit < 1:
        raise StoreError(f"Cannot search for {request.limit} hits: ask for at least 1.")
    for name in ("offset", "per_document", "depth", "k_rrf"):
        if getattr(request, name) < 0:
            raise StoreError(f"{name} is {getattr(request, name)}, but must not be negative.")
    if request.score_threshold is not None and math.isnan(request.score_threshold):
        raise StoreError("score_threshold is no number: give the least score that a hit may have.")
    if not 0 <= request.diversity <= 1:
        raise StoreError(f"diversity is {request.diversity}, but should be from 0 to 1.")
    if request.diversity and not len(request.dense):
        raise StoreError("Variety is judged by dense vectors: search by them too, or leave diversity at 0.")


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
        _check_tokens(chunk.vectors.tokens, models, _name(chunk))


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


def _check_tokens(tokens: Sequence[bytes], models: CollectionModels, name: str) -> None:
    if any(len(each) != models.dense_dimensions for each in tokens):
        raise StoreError(
            f"{name}: a token vector has not the {models.dense_dimensions} bytes of the collection of "
            f"{models.dense!r}. Embed it again."
        )


def _check_dense(dense: Sequence[float], models: CollectionModels, name: str) -> None:
    if len(dense) != models.dense_dimensions:
        raise StoreError(
            f"{name}: its dense vector has {len(dense)} dimensions, the collection of {models.dense!r} has "
            f"{models.dense_dimensions}. Use the collection's model, or another collection."
        )
    if not math.isfinite(sum(dense)):
        raise StoreError(f"{name}: its dense vector holds a value that is no number. Embed it again.")
