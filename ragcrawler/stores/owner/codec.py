"""Values of a store as JSON, and back, without losing a bit of what a store keeps."""

import base64
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ragcrawler.items import DenseWithTokens, SemanticChunk, SparseVector, Vectors, tokens_of
from ragcrawler.stores.disk.free_space import DiskFullError
from ragcrawler.stores.errors import StoreAwayError, StoreBusyError, StoreDamagedError, StoreError
from ragcrawler.stores.filters import Condition, Filters
from ragcrawler.stores.payload import chunk_from_payload, chunk_payload
from ragcrawler.stores.protocol import CollectionModels, Hit, StoredPoint
from ragcrawler.stores.remembered_models import models_from_record, models_record
from ragcrawler.stores.search_request import Ranking, SearchRequest

_NUMBERS, _INDICES = "f", "I"  # 32 bits, as the engine keeps them; both ends are on one machine
_ERRORS = {each.__name__: each for each in (StoreError, StoreBusyError, StoreAwayError, DiskFullError)}

Json = Any


def dense_json(vector: Sequence[float]) -> str:
    return base64.b64encode(array(_NUMBERS, vector)).decode("ascii")


def dense_from(text: str) -> list[float]:
    values: list[float] = array("f", base64.b64decode(text)).tolist()
    return values


def sparse_json(vector: SparseVector) -> Json:
    indices = base64.b64encode(array(_INDICES, vector.indices))
    return [indices.decode("ascii"), dense_json(vector.values)]


def sparse_from(pair: Json) -> SparseVector:
    indices = array(_INDICES, base64.b64decode(pair[0])).tolist()
    return SparseVector(indices, dense_from(pair[1]))


def vector_json(vector: Sequence[float] | SparseVector) -> Json:
    if isinstance(vector, SparseVector):
        return sparse_json(vector)
    tokens = tokens_of(vector)
    return {"dense": dense_json(vector), "tokens": tokens_json(tokens)} if tokens else dense_json(vector)


def vector_from(value: Json) -> Sequence[float] | SparseVector:
    if isinstance(value, Mapping):
        return DenseWithTokens(dense_from(value["dense"]), tokens_from(value["tokens"]))
    return dense_from(value) if isinstance(value, str) else sparse_from(value)


def tokens_json(vectors: Iterable[bytes]) -> list[str]:
    return [base64.b64encode(each).decode("ascii") for each in vectors]


def tokens_from(texts: Iterable[str]) -> tuple[bytes, ...]:
    return tuple(map(base64.b64decode, texts))


def chunk_json(chunk: SemanticChunk) -> Json:
    vectors = chunk.vectors
    if vectors is None:
        return [chunk_payload(chunk), None]
    written = [dense_json(vectors.dense), sparse_json(vectors.sparse), tokens_json(vectors.tokens)]
    return [chunk_payload(chunk), written]


def chunk_from(pair: Json) -> SemanticChunk:
    chunk = chunk_from_payload(pair[0])
    if pair[1] is None:
        return chunk
    dense, sparse, tokens = pair[1]
    return replace(chunk, vectors=Vectors(dense_from(dense), sparse_from(sparse), tokens_from(tokens)))


def chunks_json(chunks: Iterable[SemanticChunk]) -> Json:
    return [chunk_json(each) for each in chunks]


def chunks_from(values: Json) -> list[SemanticChunk]:
    return [chunk_from(each) for each in values]


def hits_json(hits: Iterable[Hit]) -> Json:
    return [[chunk_payload(hit.chunk), hit.score] for hit in hits]


def hits_from(values: Json) -> list[Hit]:
    return [Hit(chunk_from_payload(payload), score) for payload, score in values]


def models_json(models: CollectionModels | None) -> Json:
    return None if models is None else models_record(models)


def models_from(record: Json) -> CollectionModels | None:
    return None if record is None else models_from_record(record)


def point_json(point: StoredPoint) -> Json:
    dense = None if point.dense is None else dense_json(point.dense)
    others = [None if each is None else sparse_json(each) for each in (point.sparse, point.words)]
    return [point.id, point.payload, dense, *others, tokens_json(point.tokens)]


def point_from(values: Json) -> StoredPoint:
    point_id, payload, dense, sparse, words, tokens = values
    return StoredPoint(
        point_id,
        payload,
        None if dense is None else dense_from(dense),
        None if sparse is None else sparse_from(sparse),
        None if words is None else sparse_from(words),
        tokens_from(tokens),
    )


def request_json(request: SearchRequest) -> Json:
    written = asdict(replace(request, rankings=(), words=SparseVector((), ())))
    written["words"] = sparse_json(request.words)
    written["tokens"] = tokens_json(request.tokens)
    written["rankings"] = [[each.leg, vector_json(each.vector), each.weight] for each in request.rankings]
    return written


def request_from(written: Json) -> SearchRequest:
    conditions = (
        Condition(each["field"], each["operator"], tuple(each["values"])) for each in written["filters"]
    )
    rankings = (Ranking(leg, vector_from(vector), weight) for leg, vector, weight in written["rankings"])
    return SearchRequest(
        **written
        | {
            "rankings": tuple(rankings),
            "filters": tuple(conditions),
            "words": sparse_from(written["words"]),
            "tokens": tokens_from(written["tokens"]),
        }
    )


def filters_json(filters: Filters | None) -> Json:
    return dict(filters) if isinstance(filters, Mapping) else list(filters or ())


def error_json(error: BaseException) -> Json:
    """A store's own error by its kind; any other as a plain one."""
    if isinstance(error, StoreDamagedError):
        return ["StoreDamagedError", str(error), error.reason]
    name = type(error).__name__
    return [name if name in _ERRORS else "StoreError", str(error), ""]


def error_from(values: Json) -> StoreError:
    name, message, reason = values
    if name == "StoreDamagedError":
        return StoreDamagedError(message, reason)
    return _ERRORS[name](message)
