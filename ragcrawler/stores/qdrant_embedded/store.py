"""The embedded store: Qdrant's engine in this process, on a folder of its own."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.batches import READ_BATCH, WRITE_BATCH, batches
from ragcrawler.stores.checks import check_chunks, check_request, point_ids
from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.disk.free_space import FreeSpace, bytes_below
from ragcrawler.stores.disk.read_only import temporary_copy
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.filters import Condition, Filters, read_filters
from ragcrawler.stores.payload import chunk_from_payload, chunk_payload
from ragcrawler.stores.protocol import CollectionModels, Hit
from ragcrawler.stores.qdrant_embedded.erasing import erase_deleted
from ragcrawler.stores.qdrant_embedded.filters import edge_filter
from ragcrawler.stores.qdrant_embedded.folder import engine_errors, load_collection, make_collection, remember
from ragcrawler.stores.qdrant_embedded.location import EmbeddedLocation
from ragcrawler.stores.qdrant_embedded.requests import edge_ids, edge_point
from ragcrawler.stores.qdrant_embedded.search import EdgeEngine
from ragcrawler.stores.ranking.search import search
from ragcrawler.stores.record_reads import RecordReads
from ragcrawler.stores.remembered_models import current_models, require_same_models
from ragcrawler.stores.search_request import SearchRequest

if TYPE_CHECKING:
    from qdrant_edge import EdgeShard, Record

logger = logging.getLogger(__name__)

_OPENING_BYTES = 64 * 2**20


class QdrantEdgeStore(RecordReads):
    """A `ChunkStore` on `<folder>/<collection>/`, owned by one process at a time.

    Nothing but the lock that `claims` asks for is made on disk before `create`. Writes go through the
    engine's log, so they outlive a killed process; after `flush` also a power cut.
    """

    def __init__(self, config: StoreConfig) -> None:
        """Open the collection where there is one.

        Raises:
            StoreBusyError: another process owns it.
            StoreError: it is damaged, or folder or disk cannot be used.
        """
        self._config = config
        self._location = EmbeddedLocation(config.folder, config.collection)
        self._room = FreeSpace(config.folder, config.reserve_bytes)
        self._shard: EdgeShard | None = None
        self._models: CollectionModels | None = None
        self._closed = False
        self._copy: TemporaryDirectory[str] | None = None  # of a collection that may only be read
        if config.claims:
            self._own()
        if self._location.path.exists():
            self._open()

    @property
    def location(self) -> str:
        """Where the collection is, for messages."""
        return self._location.location

    @property
    def owned_folder(self) -> Path | None:
        """The collection's folder, which need not exist yet; None where it is not this process's to write."""
        return self._location.path if self._location.is_locked and self._copy is None else None

    def models(self) -> CollectionModels | None:
        return self._models

    def create(self, models: CollectionModels) -> None:
        if self._models is None and not self._closed:
            self._make(models)
        remembered = self._writable()[1]
        require_same_models(remembered, models, repr(self.location))
        self._models = current_models(remembered, models)
        if self._models != remembered:
            with self._errors("write to"):
                remember(self._location.path, self._models)

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        from qdrant_edge import UpdateOperation

        shard, models = self._writable()
        check_chunks(chunks, models, self._stored_ids)
        with self._errors("write to"):
            for batch in batches(chunks, WRITE_BATCH):
                self._room.require()
                points = [
                    edge_point(chunk, chunk.vectors, models) for chunk in batch if chunk.vectors is not None
                ]
                if points:
                    shard.update(UpdateOperation.upsert_points(points))
            for chunk in chunks:
                if chunk.vectors is None:
                    self._room.require()
                    shard.update(UpdateOperation.overwrite_payload([chunk.id], chunk_payload(chunk)))

    def delete(self, ids: Sequence[str]) -> None:
        from qdrant_edge import UpdateOperation

        shard, _ = self._writable()
        self._room.require()
        with self._errors("delete from"):
            shard.update(UpdateOperation.delete_points(edge_ids(point_ids(ids))))

    def search(self, request: SearchRequest) -> list[Hit]:
        shard, models = self._require_open()
        check_request(request, models, repr(self.location))
        with self._errors("search"):
            return search(EdgeEngine(shard), request)

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        shard, _ = self._require_open()
        wanted = point_ids(ids)
        with self._errors("read"):
            records = shard.retrieve(edge_ids(wanted), True, False)
            found = {str(record.id): chunk_from_payload(record.payload or {}) for record in records}
        return [found[each] for each in wanted if each in found]

    def count(self, *, filters: Filters | None = None) -> int:
        from qdrant_edge import CountRequest

        shard, _ = self._require_open()
        conditions = read_filters(filters)
        with self._errors("count"):
            return shard.count(CountRequest(exact=True, filter=edge_filter(conditions)))

    def optimize(self) -> None:
        """See `ChunkStore`; nothing else runs in this process meanwhile.

        The engine writes what it optimises anew: where there is no room for that, it is left as it is.
        """
        shard, _ = self._writable()
        if not self._room.has(bytes_below(self._location.path)):
            logger.warning(
                "%s is not optimised for want of room on the disk: searches are slower", self.location
            )
            return
        with self._errors("optimise"):
            shard.optimize()

    def erase(self) -> None:
        shard, _ = self._writable()
        path = self._location.path
        self._room.require(bytes_below(path))
        with self._errors("erase what was deleted from"):
            self._shard = None  # it is closed, whatever happens
            self._shard = erase_deleted(path / "shard", shard)

    def flush(self) -> None:
        if self._shard is not None:
            with self._errors("flush"):
                self._shard.flush()

    def close(self) -> None:
        shard, self._shard, self._closed = self._shard, None, True
        try:
            if shard is not None:
                with self._errors("close"):
                    shard.flush()
                    shard.close()
        finally:
            self._let_go()

    def _open(self) -> None:
        self._location.acquire()
        try:
            path = self._readable()
            # Less than a write needs: a collection whose crawl ended for want of room can still be searched.
            FreeSpace(path.parent, min(self._config.reserve_bytes, _OPENING_BYTES)).require()
            self._shard, self._models = load_collection(path)
        except StoreError:
            self._let_go()
            raise

    def _readable(self) -> Path:
        """The folder to open: a copy of one that may not be written."""
        if not self._location.is_read_only:
            return self._location.path
        with self._errors("copy"):
            self._copy = temporary_copy([self._location.path])
        return Path(self._copy.name) / self._location.path.name

    def _let_go(self) -> None:
        if self._copy is not None:
            self._copy.cleanup()
        self._location.release()

    def _own(self) -> None:
        with self._errors("make"):
            self._location.path.parent.mkdir(parents=True, exist_ok=True)
        self._location.acquire()

    def _make(self, models: CollectionModels) -> None:
        self._room.require()
        self._own()
        try:
            if not self._location.path.exists():
                make_collection(self._location.path, models, self._config)
            self._shard, self._models = load_collection(self._location.path)
        except StoreError:
            self._location.release()
            raise

    def _require_open(self) -> "tuple[EdgeShard, CollectionModels]":
        if self._shard is None or self._models is None:
            state = "is closed" if self._closed else "does not exist. Crawl something into it first"
            raise StoreError(f"The collection {self.location!r} {state}.")
        return self._shard, self._models

    def _writable(self) -> "tuple[EdgeShard, CollectionModels]":
        opened = self._require_open()
        if self._copy is not None:
            raise StoreError(
                f"The collection {self.location!r} is read-only: it can be searched and verified. To write "
                "to it, make its folder and files writable."
            )
        return opened

    def _scroll(
        self, conditions: Sequence[Condition], fields: list[str] | bool, *, with_vectors: bool
    ) -> "Iterator[Record]":
        from qdrant_edge import ScrollRequest

        shard, _ = self._require_open()
        offset = None
        while True:
            with self._errors("read"):
                fitting = edge_filter(conditions)
                records, offset = shard.scroll(
                    ScrollRequest(
                        offset=offset,
                        limit=READ_BATCH,
                        filter=fitting,
                        with_payload=fields,
                        with_vector=with_vectors,
                    )
                )
            yield from records
            if offset is None:
                return

    def _retrieve(self, ids: Sequence[str]) -> "Iterator[Record]":
        shard, _ = self._require_open()
        for batch in batches(point_ids(ids), READ_BATCH):
            with self._errors("read"):
                records = shard.retrieve(edge_ids(batch), True, True)
            yield from records

    def _stored_ids(self, ids: Sequence[str]) -> set[str]:
        shard, _ = self._require_open()
        with self._errors("read"):
            return {str(record.id) for record in shard.retrieve(edge_ids(ids), False, False)}

    def _errors(self, doing: str) -> AbstractContextManager[None]:
        return engine_errors(f"{doing} the collection", self._location.path)
