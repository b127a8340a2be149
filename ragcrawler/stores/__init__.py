"""Stores of chunks and their vectors: embedded, on a server, in memory."""

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.disk.free_space import DiskFullError, FreeSpace
from ragcrawler.stores.errors import StoreAwayError, StoreBusyError, StoreError
from ragcrawler.stores.open import open_store
from ragcrawler.stores.protocol import ChunkStore, CollectionModels, Hit, ReadableStore, StoredPoint

__all__ = [
    "ChunkStore",
    "CollectionModels",
    "DiskFullError",
    "FreeSpace",
    "Hit",
    "ReadableStore",
    "StoreAwayError",
    "StoreBusyError",
    "StoreConfig",
    "StoreError",
    "StoredPoint",
    "open_store",
]
