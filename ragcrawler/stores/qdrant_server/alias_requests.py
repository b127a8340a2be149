"""Aliases of collections on a server."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qdrant_client import QdrantClient


def resolve_collection(client: "QdrantClient", name: str) -> str:
    """The collection of an alias; the name itself where it is no alias."""
    aliases = {each.alias_name: each.collection_name for each in client.get_aliases().aliases}
    return aliases.get(name, name)


def set_alias(client: "QdrantClient", name: str, target: str) -> None:
    """Point an alias at a collection; the server does it in one step, whatever the alias was before."""
    from qdrant_client import models

    removal = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=name))
    alias = models.CreateAliasOperation(
        create_alias=models.CreateAlias(collection_name=target, alias_name=name)
    )
    is_alias = resolve_collection(client, name) != name
    client.update_collection_aliases([removal, alias] if is_alias else [alias])
