"""Lets other processes use a store of this one."""

from concurrent.futures import Executor

from ragcrawler.stores.owner.calls import EmbedQuestion
from ragcrawler.stores.owner.socket_file import socket_file
from ragcrawler.stores.owner.store_server import StoreServer
from ragcrawler.stores.protocol import ChunkStore
from ragcrawler.stores.qdrant_embedded.store import QdrantEdgeStore


def share_store(
    store: ChunkStore, executor: Executor, embed: EmbedQuestion | None = None
) -> StoreServer | None:
    """Answer other processes about an embedded collection; None where this process owns none.

    Args:
        store: open.
        executor: of the one thread that may call it.
        embed: makes the vectors of questions for others too; None where this process has no models for it.

    Raises:
        StoreError: the socket cannot be made.
    """
    folder = store.owned_folder if isinstance(store, QdrantEdgeStore) else None
    return StoreServer(store, executor, socket_file(folder), embed) if folder is not None else None
