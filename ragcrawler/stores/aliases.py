"""Collection aliases: resolve a name, or point it at another collection."""

from typing import Protocol

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.errors import StoreError


class CollectionAliases(Protocol):
    """The aliases of one folder, or of one server."""

    def resolve(self, name: str) -> str:
        """The collection of an alias; the name itself where it is no alias.

        Raises:
            StoreError: its collection no longer exists.
        """

    def require_switchable(self, name: str) -> None:
        """Refuse a name that cannot become an alias.

        Raises:
            StoreError: says why, and what to do.
        """

    def switch(self, name: str, target: str) -> None:
        """Point a name at the collection of `target`, in one step: it resolves to the old one or the new one.

        `switch(name, old)`, with the result of an earlier `resolve(name)`, is the way back.

        Raises:
            StoreError: there is no such collection, or the name cannot become an alias.
        """

    def drop(self, collection: str) -> None:
        """Remove a collection, by its own name; no process may have it open.

        Raises:
            StoreError: somebody has, or it cannot be removed.
        """


def open_aliases(config: StoreConfig) -> CollectionAliases:
    """The aliases of the configured folder or server.

    Raises:
        StoreError: a store in memory has no aliases.
    """
    kind = config.resolved_kind
    if kind == "server":
        from ragcrawler.stores.qdrant_server.collection_aliases import ServerAliases

        return ServerAliases(config)
    if kind == "edge":
        from ragcrawler.stores.qdrant_embedded.collection_aliases import EmbeddedAliases

        return EmbeddedAliases(config.folder)
    raise StoreError("The in-memory store has no aliases.")
