"""The store on a Qdrant server: the same collection, for many readers and several machines."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.batches import READ_BATCH, WRITE_BATCH, WRITE_BYTES, batches
from ragcrawler.stores.checks import check_chunks, check_request, point_ids
from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.filters import Condition, Filters, read_filters
from ragcrawler.stores.payload import chunk_from_payload
from ragcrawler.stores.protocol import CollectionModels, Hit
from ragcrawler.stores.qdrant_server.alias_requests import resolve_collection
from ragcrawler.stores.qdrant_server.collection import make_collection, remember, remembered_models
from ragcrawler.stores.qdrant_server.connection import connect, server_errors, shown_address
from ragcrawler.stores.qdrant_server.filters import server_filter
from ragcrawler.stores.qdrant_server.requests import (
    payload_update,
    point_bytes,
    server_point,
)
from ragcrawler.stores.qdrant_server.search import ServerEngine
from ragcrawler.stores.ranking.search import search
from ragcrawler.stores.record_reads import RecordReads
from ragcrawler.stores.remembered_models import require_same_models
from ragcrawler.stores.search_request import SearchRequest

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import Record


class QdrantServerStore(RecordReads):
    """A `ChunkStore` through `qdrant-client`; the server answers a write only when it is in its log."""

    def __init__(self, config: StoreConfig) -> None:
        """Connect, and learn the collection's models where there is one.

        Raises:
            StoreError: the server cannot be reached, refuses the key, or the collection is not ours.
        """
        self._config = config
        self._name = config.collection
        self._client: QdrantClient | None = connect(config)
        try:
            with self._errors("open"):
                # For as long as it is open: what the name means by then may have other models.
                self._name = resolve_collection(self._client, config.collection)
                self._models = remembered_models(self._client, self._name)
        except StoreError:
            self.close()
            raise

    @property
    def location(self) -> str:
        """Where the collection is, for messages; without user, password and key."""
        return f"{self._config.collection} at {shown_address(self._config.url)}"

    def models(self) -> CollectionModels | None:
        return self._models

    def create(self, models: CollectionModels) -> None:
        client = self._require_client()
        if self._models is not None:
            require_same_models(self._models, models, repr(self.location))
        with self._errors("make"):
            self._name = make_collection(client, self._config, models)
            self._models = remembered_models(client, self._name)
        require_same_models(self._require_open()[1], models, repr(self.location))
        with self._errors("write to"):
            remember(client, self._name, models)
            self._models = remembered_models(client, self._name)

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        client, models = self._require_open()
        check_chunks(chunks, models, self._stored_ids)
        with self._errors("write to"):
            for batch in _requests(chunks):
                points = [
                    server_point(chunk, chunk.vectors, models) for chunk in batch if chunk.vectors is not None
                ]
                if points:
                    client.upsert(self._name, points, wait=True)
            for batch in _requests([chunk for chunk in chunks if chunk.vectors is None]):
                client.batch_update_points(self._name, [payload_update(chunk) for chunk in batch], wait=True)

    def delete(self, ids: Sequence[str]) -> None:
        from qdrant_client.models import PointIdsList

        client, _ = self._require_open()
        with self._errors("delete from"):
            for batch in batches(point_ids(ids), READ_BATCH):
                client.delete(self._name, PointIdsList(points=[*batch]), wait=True)

    def search(self, request: SearchRequest) -> list[Hit]:
        client, models = self._require_open()
        check_request(request, models, repr(self.location))
        with self._errors("search"):
            return search(ServerEngine(client, self._name), request)

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        client, _ = self._require_open()
        wanted = point_ids(ids)
        with self._errors("read"):
            records = client.retrieve(self._name, wanted, with_payload=True)
            found = {str(record.id): chunk_from_payload(record.payload or {}) for record in records}
        return [found[each] for each in wanted if each in found]

    def count(self, *, filters: Filters | None = None) -> int:
        client, _ = self._require_open()
        conditions = read_filters(filters)
        with self._errors("count"):
            return client.count(self._name, server_filter(conditions), exact=True).count

    def optimize(self) -> None:
        """See `ChunkStore`; a server does it by itself."""

    def erase(self) -> None:
        """See `ChunkStore`; a server does it by itself."""

    def flush(self) -> None:
        """See `ChunkStore`; every write was waited for."""

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _require_client(self) -> "QdrantClient":
        if self._client is None:
            raise StoreError(f"The collection {self.location!r} is closed.")
        return self._client

    def _require_open(self) -> "tuple[QdrantClient, CollectionModels]":
        client = self._require_client()
        if self._models is None:
            raise StoreError(
                f"The collection {self.location!r} does not exist. Crawl something into it first."
            )
        return client, self._models

    def _scroll(
        self, conditions: Sequence[Condition], fields: list[str] | bool, *, with_vectors: bool
    ) -> "Iterator[Record]":
        client, _ = self._require_open()
        fitting, offset = server_filter(conditions), None
        while True:
            with self._errors("read"):
                records, offset = client.scroll(
                    self._name,
                    fitting,
                    limit=READ_BATCH,
                    offset=offset,
                    with_payload=fields,
                    with_vectors=with_vectors,
                )
            yield from records
            if offset is None:
                return

    def _retrieve(self, ids: Sequence[str]) -> "Iterator[Record]":
        client, _ = self._require_open()
        for batch in batches(point_ids(ids), WRITE_BATCH):
            with self._errors("read"):
                records = client.retrieve(self._name, batch, with_payload=True, with_vectors=True)
            yield from records

    def _stored_ids(self, ids: Sequence[str]) -> set[str]:
        client, _ = self._require_open()
        with self._errors("read"):
            return {str(record.id) for record in client.retrieve(self._name, ids, with_payload=False)}

    def _errors(self, doing: str) -> AbstractContextManager[None]:
        return server_errors(doing, self._config)


def _requests(chunks: Sequence[SemanticChunk]) -> Iterator[list[SemanticChunk]]:
    return batches(chunks, WRITE_BATCH, size=point_bytes, most_size=WRITE_BYTES)
