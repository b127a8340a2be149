"""The embedding cache that the settings ask for."""

from ragcrawler.config.configuration import Configuration
from ragcrawler.embedding.cache.sqlite_vector_cache import SqliteVectorCache
from ragcrawler.embedding.cache.vector_cache import NoVectorCache, VectorCache


def open_vector_cache(configuration: Configuration) -> VectorCache:
    """The cache, to be closed; one that remembers nothing where it is switched off.

    Raises:
        OSError: its file can neither be made nor read.
    """
    if not configuration.cache_bytes:
        return NoVectorCache()
    return SqliteVectorCache(configuration.cache_path, configuration.cache_bytes)
