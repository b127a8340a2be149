"""The embedded engine's shard: how it keeps vectors, and its payload indexes."""

from pathlib import Path
from typing import TYPE_CHECKING

from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.payload_indexes import PAYLOAD_INDEXES
from ragcrawler.stores.protocol import CollectionModels

if TYPE_CHECKING:
    from qdrant_edge import EdgeShard, EdgeVectorParams

# Below this size of its dense vectors (133,000 of 384 dimensions) a segment is searched exactly. At 50,000
# chunks that takes 7 ms instead of 4, while building the graph doubles what a chunk costs the store, loses a
# little recall, and stops the whole process, signals included, for a second every 2,500 chunks.
_INDEXING_THRESHOLD_KILOBYTES = 200_000
# Quantised vectors are made with the graph.
_QUANTISING_THRESHOLD_KILOBYTES = 20_000
# 40 vectors of a byte a dimension, beside one of four.
_TOKEN_BYTES_A_DENSE_BYTE = 10
_NO_GRAPH = 10_000  # the engine wants numbers; with m=0 it makes none
_QUANTILE = 0.99  # the outermost hundredth of the values is cut off, as Qdrant advises for int8


def make_shard(path: Path, models: CollectionModels, config: StoreConfig) -> None:
    """Make an empty shard in a new folder, with its indexes.

    Raises:
        Exception: the engine cannot; it knows no other.
    """
    import qdrant_edge as edge

    scalar = config.quantization == "scalar"
    threshold = _QUANTISING_THRESHOLD_KILOBYTES if scalar else _INDEXING_THRESHOLD_KILOBYTES
    vectors = {"dense": _dense(models.dense_dimensions, config)}
    if models.tokens:
        vectors["tokens"] = _tokens(models.dense_dimensions)
        threshold *= _TOKEN_BYTES_A_DENSE_BYTE  # it counts the biggest of a segment's vectors
    path.mkdir()
    shard = edge.EdgeShard.create(
        str(path),
        edge.EdgeConfig(
            vectors=vectors,
            sparse_vectors={
                "sparse": edge.EdgeSparseVectorParams(),
                "bm25": edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf),
            },
            optimizers=edge.EdgeOptimizersConfig(indexing_threshold=threshold),
        ),
    )
    index_payload(shard)
    shard.flush()
    shard.close()


def index_payload(shard: "EdgeShard") -> None:
    """Make the payload indexes that are not there."""
    import qdrant_edge as edge

    known = shard.info().payload_schema
    types = {"keyword": edge.PayloadSchemaType.Keyword, "datetime": edge.PayloadSchemaType.Datetime}
    for field, kind in PAYLOAD_INDEXES.items():
        if field not in known:
            shard.update(edge.UpdateOperation.create_field_index(field, types[kind]))


def _tokens(dimensions: int) -> "EdgeVectorParams":
    """Many vectors a point, in bytes and on disk: they are read for proposed chunks alone."""
    import qdrant_edge as edge

    return edge.EdgeVectorParams(
        dimensions,
        edge.Distance.Dot,
        multivector_config=edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim),
        datatype=edge.VectorStorageDatatype.Uint8,
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=_NO_GRAPH, full_scan_threshold=_NO_GRAPH),
        memory=edge.Memory.Cold,
    )


def _dense(dimensions: int, config: StoreConfig) -> "EdgeVectorParams":
    import qdrant_edge as edge

    quantised = edge.ScalarQuantizationConfig(
        edge.ScalarType.Int8, quantile=_QUANTILE, memory=edge.Memory.Pinned
    )
    return edge.EdgeVectorParams(
        dimensions,
        edge.Distance.Cosine,
        quantization_config=quantised if config.quantization == "scalar" else None,
        memory=edge.Memory.Cold if config.on_disk else edge.Memory.Cached,
    )
