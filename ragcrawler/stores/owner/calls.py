"""The calls on a store that other processes may make of its owner."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.items import SparseVector
from ragcrawler.stores.owner import codec
from ragcrawler.stores.protocol import ChunkStore

Json = Any


@dataclass(frozen=True, slots=True)
class Call:
    """A call: how its argument and its result are written.

    Attributes:
        do: makes it on the store, with the argument as JSON; gives the result as JSON, or an iterable of
            such results for a stream.
        writes: whether it changes the collection.
    """

    do: Callable[[ChunkStore, Json], Any]
    writes: bool = False


def _scroll(store: ChunkStore, filters: Json) -> Iterable[Json]:
    return map(codec.chunk_json, store.scroll(filters=filters))


def _points(store: ChunkStore, ids: Json) -> Iterable[Json]:
    return map(codec.point_json, store.points(ids))


CALLS = {
    "location": Call(lambda store, _: store.location),
    "models": Call(lambda store, _: codec.models_json(store.models())),
    "search": Call(lambda store, given: codec.hits_json(store.search(codec.request_from(given)))),
    "get": Call(lambda store, ids: codec.chunks_json(store.get(ids))),
    "count": Call(lambda store, filters: store.count(filters=filters)),
    "embed_hashes": Call(lambda store, document_id: dict(store.embed_hashes(document_id))),
    "flush": Call(lambda store, _: store.flush()),
    "erase": Call(lambda store, _: store.erase(), writes=True),
    "claim": Call(lambda _, __: None, writes=True),
    "create": Call(lambda store, given: store.create(_models(given)), writes=True),
    "upsert": Call(lambda store, given: store.upsert(codec.chunks_from(given)), writes=True),
    "delete": Call(lambda store, ids: store.delete(ids), writes=True),
}
"""Calls with one result."""

STREAMS = {"scroll": Call(_scroll), "points": Call(_points)}
"""Calls whose results come in batches, on a connection of their own."""

EMBED = "embed"
"""The call that asks the owner's models, not its store, for the vector of a question."""

EmbedQuestion = Callable[[str, str], Sequence[float] | SparseVector]
"""The vector of a question, by the kind of the model ("dense" or "sparse") and the text."""


def _models(record: Json) -> Any:
    return codec.models_from(record)
