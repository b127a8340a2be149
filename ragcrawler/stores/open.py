"""Open the store that the configuration asks for."""

import logging

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.protocol import ChunkStore

logger = logging.getLogger(__name__)


def open_store(config: StoreConfig, *, may_share: bool = True) -> ChunkStore:
    """The store; nothing is made in it before `create`.

    Args:
        config: which store, and which collection in it.
        may_share: whether an embedded collection may be used through the process that owns it, where that
            lets others do so.

    Raises:
        StoreError: it cannot be opened, or the configuration contradicts itself.
    """
    kind = config.resolved_kind
    if kind == "server":
        return _open_server(config)
    if kind == "edge":
        return _open_embedded(config, may_share=may_share)
    if kind == "memory":
        from ragcrawler.stores.memory.store import MemoryStore

        return MemoryStore()
    raise StoreError(f"There is no store of the kind {kind!r}: choose auto, edge, server or memory.")


def _open_embedded(config: StoreConfig, *, may_share: bool) -> ChunkStore:
    from ragcrawler.stores.owner.owned_store import OwnedStore, OwnerGoneError
    from ragcrawler.stores.owner.socket_file import socket_file
    from ragcrawler.stores.qdrant_embedded.alias_files import resolve_folder
    from ragcrawler.stores.qdrant_embedded.store import QdrantEdgeStore

    path = socket_file(resolve_folder(config.folder, config.collection))
    if may_share and path.exists():
        try:
            return OwnedStore(path, lambda: QdrantEdgeStore(config), claims=config.claims)
        except OwnerGoneError as error:
            # It was killed: its lock went with it, its socket stayed.
            logger.info("No process answers at %s: the collection is opened here (%s)", path, error)
    return QdrantEdgeStore(config)


def _open_server(config: StoreConfig) -> ChunkStore:
    from ragcrawler.stores.qdrant_server.store import QdrantServerStore

    if not config.url:
        raise StoreError("A store on a server needs its address: set QDRANT_URL, http://localhost:6333 say.")
    return QdrantServerStore(config)
