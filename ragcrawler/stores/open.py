"""Open the store that the configuration asks for."""

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.protocol import ChunkStore, StoreError


def open_store(config: StoreConfig) -> ChunkStore:
    """The store; nothing is made in it before `create`.

    Raises:
        StoreError: it cannot be opened, or the configuration contradicts itself.
    """
    kind = config.resolved_kind
    if kind == "server":
        return _open_server(config)
    if kind == "edge":
        from ragcrawler.stores.qdrant_embedded.store import QdrantEdgeStore

        return QdrantEdgeStore(config)
    if kind == "memory":
        from ragcrawler.stores.memory.store import MemoryStore

        return MemoryStore()
    raise StoreError(f"There is no store of the kind {kind!r}: choose auto, edge, server or memory.")


def _open_server(config: StoreConfig) -> ChunkStore:
    from ragcrawler.stores.qdrant_server.store import QdrantServerStore

    if not config.url:
        raise StoreError("A store on a server needs its address: set QDRANT_URL, http://localhost:6333 say.")
    return QdrantServerStore(config)
