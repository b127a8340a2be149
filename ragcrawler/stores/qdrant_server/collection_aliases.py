"""`CollectionAliases` of a server."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.qdrant_server.alias_requests import resolve_collection, set_alias
from ragcrawler.stores.qdrant_server.connection import connect, server_errors

if TYPE_CHECKING:
    from qdrant_client import QdrantClient


class ServerAliases:
    """`CollectionAliases` of a Qdrant server; every call is a connection of its own."""

    def __init__(self, config: StoreConfig) -> None:
        self._config = config

    def resolve(self, name: str) -> str:
        with self._client("look up", name) as client:
            return resolve_collection(client, name)

    def require_switchable(self, name: str) -> None:
        """See `CollectionAliases`; a collection's own name cannot become an alias while it exists."""
        with self._client("look up", name) as client:
            if resolve_collection(client, name) == name and client.collection_exists(name):
                raise StoreError(
                    f"{name!r} is a collection's own name on the server, which cannot mean another one while "
                    "that collection is there. Rebuild without --switch and name the new collection in "
                    "QDRANT_COLLECTION; or remove the old one on the server, once nothing needs it, and run "
                    "`scrapy reindex --into NEW --only-switch`."
                )

    def switch(self, name: str, target: str) -> None:
        self.require_switchable(name)
        with self._client("switch to", target) as client:
            meant = resolve_collection(client, target)
            if not client.collection_exists(meant):
                raise StoreError(f"There is no collection {target!r} on the server.")
            set_alias(client, name, meant)

    def drop(self, collection: str) -> None:
        with self._client("remove", collection) as client:
            client.delete_collection(collection)

    @contextmanager
    def _client(self, doing: str, name: str) -> "Iterator[QdrantClient]":
        with (
            server_errors(doing, replace(self._config, collection=name)),
            closing(connect(self._config)) as client,
        ):
            yield client
