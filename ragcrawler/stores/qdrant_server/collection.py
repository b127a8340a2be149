"""A collection on a server: made with its indexes behind an alias, and asked for the models it remembers."""

import re
from typing import TYPE_CHECKING, Any

from ragcrawler.stores.collection_record import collection_record, is_outdated
from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.errors import StoreError
from ragcrawler.stores.payload_indexes import PAYLOAD_INDEXES
from ragcrawler.stores.protocol import CollectionModels
from ragcrawler.stores.qdrant_server.alias_requests import resolve_collection, set_alias
from ragcrawler.stores.remembered_models import current_models, models_from_record

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import CollectionInfo, ScalarQuantization, VectorParams

_METADATA_KEY = "ragcrawler"
_LEAST_VERSION = (1, 16)
_QUANTILE = 0.99  # the outermost hundredth of the values is cut off, as Qdrant advises for int8
_FIRST = "-1"  # ends the name of what an alias means at first


def remembered_models(client: "QdrantClient", name: str) -> CollectionModels | None:
    """The models the collection remembers, None where there is no such collection.

    Raises:
        StoreError: there is one, but it remembers none, or its schema is newer.
        UnexpectedResponse, ResponseHandlingException: the server refused or could not be reached.
    """
    if not client.collection_exists(name):
        return None
    record = _record(client.get_collection(name))
    if record is None:
        raise StoreError(
            f"The collection {name!r} on the server was made by another program: it remembers no models. "
            "Choose another name for the collection."
        )
    is_outdated(record, repr(name))
    return models_from_record(record)


def make_collection(client: "QdrantClient", config: StoreConfig, models: CollectionModels) -> str:
    """Make the collection where its name means none, and what it lacks of payload indexes.

    The name becomes an alias from the beginning: an alias can later mean another collection, a collection's
    own name cannot.

    Returns:
        the name of the collection itself.

    Raises:
        StoreError: the server is too old to remember models, or another program has taken the name.
        UnexpectedResponse, ResponseHandlingException: the server refused or could not be reached.
    """
    from qdrant_client.models import PayloadSchemaType

    name = resolve_collection(client, config.collection)
    if not client.collection_exists(name):
        _require_version(client)
        name = config.collection + _FIRST
        _create(client, name, models, config)
        remembered_models(client, name)  # refuses what was there before and is not ours
        set_alias(client, config.collection, name)
    info = client.get_collection(name)
    for field, kind in PAYLOAD_INDEXES.items():
        if field not in info.payload_schema:
            client.create_payload_index(name, field, PayloadSchemaType(kind))
    return name


def remember(client: "QdrantClient", name: str, writing: CollectionModels) -> None:
    """Bring what the collection remembers to this version of the schema, and to the chunker that writes."""
    record = _record(client.get_collection(name)) or {}
    current = collection_record(current_models(models_from_record(record), writing))
    if record != current:
        client.update_collection(name, metadata={_METADATA_KEY: current})


def _record(info: "CollectionInfo") -> dict[str, Any] | None:
    return (info.config.metadata or {}).get(_METADATA_KEY)


def _create(client: "QdrantClient", name: str, models: CollectionModels, config: StoreConfig) -> None:
    from qdrant_client.models import Distance, Modifier, SparseVectorParams, VectorParams

    dense = VectorParams(
        size=models.dense_dimensions,
        distance=Distance.COSINE,
        on_disk=config.on_disk or None,
        quantization_config=_scalar() if config.quantization == "scalar" else None,
    )
    vectors = {"dense": dense}
    if models.tokens:
        vectors["tokens"] = _tokens(models.dense_dimensions)
    try:
        client.create_collection(
            name,
            vectors_config=vectors,
            sparse_vectors_config={
                "sparse": SparseVectorParams(),
                "bm25": SparseVectorParams(modifier=Modifier.IDF),
            },
            metadata={_METADATA_KEY: collection_record(models)},
        )
    except Exception:
        # Another crawl made it in between; its models are compared afterwards.
        if not client.collection_exists(name):
            raise


def _tokens(dimensions: int) -> "VectorParams":
    """Many vectors a point, in bytes, on disk, without a graph: they are read for proposed chunks alone."""
    from qdrant_client import models

    return models.VectorParams(
        size=dimensions,
        distance=models.Distance.DOT,
        multivector_config=models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM),
        datatype=models.Datatype.UINT8,
        hnsw_config=models.HnswConfigDiff(m=0),
        on_disk=True,
    )


def _scalar() -> "ScalarQuantization":
    from qdrant_client.models import ScalarQuantization, ScalarQuantizationConfig, ScalarType

    scalar = ScalarQuantizationConfig(type=ScalarType.INT8, quantile=_QUANTILE, always_ram=True)
    return ScalarQuantization(scalar=scalar)


def _require_version(client: "QdrantClient") -> None:
    """Collection metadata and the constant of RRF came with 1.16; older servers drop both without a word."""
    version = client.info().version
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers and (int(numbers[1]), int(numbers[2])) < _LEAST_VERSION:
        raise StoreError(f"The Qdrant server is version {version}: upgrade it to 1.16 or later.")
