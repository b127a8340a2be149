"""What names mean: a name leads to a collection, and can be led to another one."""

from typing import Protocol

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.protocol import StoreError


class CollectionAliases(Protocol):
    """The names of one folder, or of one server."""

    def resolve(self, name: str) -> str:
        """The collection that the name means; the name itself where it is no alias.

        Raises:
            StoreError: it means one that is gone.
        """

    def require_switchable(self, name: str) -> None:
        """Refuse a name that cannot be led to another collection.

        Raises:
            StoreError: says why, and what to do.
        """

    def switch(self, name: str, target: str) -> None:
        """Let the name mean what `target` means; at any moment it means the old collection or the new one.

        `switch(name, meaning)` with an earlier `resolve(name)` is the way back.

        Raises:
            StoreError: there is no such collection, or the name cannot be led to it.
        """

    def drop(self, collection: str) -> None:
        """Remove a collection, by its own name; nobody may have it open.

        Raises:
            StoreError: somebody has, or it cannot be removed.
        """


def open_aliases(config: StoreConfig) -> CollectionAliases:
    """The names where the configuration's collections are.

    Raises:
        StoreError: a store in memory has no names.
    """
    kind = config.kind if config.kind != "auto" else ("server" if config.url else "edge")
    if kind == "server":
        from ragcrawler.stores.qdrant_server.collection_aliases import ServerAliases

        return ServerAliases(config)
    if kind == "edge":
        from ragcrawler.stores.qdrant_embedded.collection_aliases import EmbeddedAliases

        return EmbeddedAliases(config.folder)
    raise StoreError("A collection in memory has no name that could be led to another one.")
