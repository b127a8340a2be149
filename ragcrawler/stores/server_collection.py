"""A collection on a server: made with its indexes, and asked for the models it remembers."""

import re
from typing import TYPE_CHECKING

from ragcrawler.stores.filters import INDEXED_FIELDS
from ragcrawler.stores.protocol import CollectionModels, StoreError
from ragcrawler.stores.remembered_models import models_from_record, models_record

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import CollectionInfo

_METADATA_KEY = "ragcrawler"
_LEAST_VERSION = (1, 16)
_NOT_FOUND = 404
_CONFLICT = 409


def remembered_models(client: "QdrantClient", name: str) -> CollectionModels | None:
    """The models the collection remembers, None where there is no such collection.

    Raises:
        StoreError: there is one, but it remembers none.
        UnexpectedResponse, ResponseHandlingException: the server refused or could not be reached.
    """
    info = _collection(client, name)
    if info is None:
        return None
    record = (info.config.metadata or {}).get(_METADATA_KEY)
    if record is None:
        raise StoreError(
            f"The collection {name!r} on the server was made by another program: it remembers no models. "
            "Choose another name for the collection."
        )
    return models_from_record(record)


def make_collection(client: "QdrantClient", name: str, models: CollectionModels) -> None:
    """Make the collection and what it lacks of payload indexes; one that is there stays as it is.

    Raises:
        StoreError: the server is too old to remember models.
        UnexpectedResponse, ResponseHandlingException: the server refused or could not be reached.
    """
    from qdrant_client.models import PayloadSchemaType

    info = _collection(client, name)
    if info is None:
        _require_version(client)
        _create(client, name, models)
    indexed = {} if info is None else info.payload_schema
    for field in INDEXED_FIELDS:
        if field not in indexed:
            client.create_payload_index(name, field, PayloadSchemaType.KEYWORD)


def _collection(client: "QdrantClient", name: str) -> "CollectionInfo | None":
    from qdrant_client.http.exceptions import UnexpectedResponse

    try:
        return client.get_collection(name)
    except UnexpectedResponse as error:
        if error.status_code == _NOT_FOUND:
            return None
        raise


def _create(client: "QdrantClient", name: str, models: CollectionModels) -> None:
    from qdrant_client.http.exceptions import UnexpectedResponse
    from qdrant_client.models import Distance, SparseVectorParams, VectorParams

    try:
        client.create_collection(
            name,
            vectors_config={"dense": VectorParams(size=models.dense_dimensions, distance=Distance.COSINE)},
            sparse_vectors_config={"sparse": SparseVectorParams()},
            metadata={_METADATA_KEY: models_record(models)},
        )
    except UnexpectedResponse as error:
        # Another crawl made it in between; its models are compared afterwards.
        if error.status_code != _CONFLICT:
            raise


def _require_version(client: "QdrantClient") -> None:
    """Collection metadata and the constant of RRF came with 1.16; older servers drop both without a word."""
    version = client.info().version
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers and (int(numbers[1]), int(numbers[2])) < _LEAST_VERSION:
        raise StoreError(f"The Qdrant server is version {version}: upgrade it to 1.16 or later.")
