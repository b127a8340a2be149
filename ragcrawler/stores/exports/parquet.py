"""An export as a Parquet file: a column a field, for data frames and warehouses; needs the extra `parquet`.

`headers` and `extra` are JSON, since they have other keys in every chunk. The header stands in the schema's
metadata. The file ends with its index, so one that was cut off is not even opened.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import IO, TYPE_CHECKING, Any

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.batches import READ_BATCH, batches
from ragcrawler.stores.exports.chunk_row import chunk_from_row, chunk_row
from ragcrawler.stores.exports.header import ExportError, ExportHeader, header_from_record

if TYPE_CHECKING:
    import pyarrow as pa

_METADATA_KEY = b"ragcrawler"
_AS_JSON = ("headers", "extra")
_DENSE, _INDICES, _VALUES, _TOKENS = "dense", "sparse_indices", "sparse_values", "tokens"


def write_parquet(out: IO[bytes], header: ExportHeader, chunks: Iterable[SemanticChunk]) -> int:
    """Write an export; the number of its chunks.

    Raises:
        ExportError: pyarrow is not installed.
        OSError: it cannot be written.
    """
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    schema = _schema(header)
    written = 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for batch in batches(chunks, READ_BATCH):
            writer.write_table(pa.Table.from_pylist([_flat(chunk) for chunk in batch], schema))
            written += len(batch)
    return written


def read_parquet(file: IO[bytes]) -> tuple[ExportHeader, Iterator[SemanticChunk]]:
    """The header, and the chunks one by one as they are asked for.

    Raises:
        ExportError: it is no export, it was cut off, or pyarrow is not installed; while the chunks are read,
            also: a row is damaged, and is named.
    """
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    try:
        opened = parquet.ParquetFile(file)
        header = header_from_record(
            json.loads((opened.schema_arrow.metadata or {}).get(_METADATA_KEY, b"null"))
        )
    except (pa.ArrowException, ValueError, OSError) as error:
        raise ExportError(f"This is no whole Parquet file ({error}). Export again.") from error
    return header, _chunks(opened, header)


def require_pyarrow() -> None:
    """Refuse what needs pyarrow where it is missing.

    Raises:
        ExportError: says how to install it.
    """
    try:
        import pyarrow  # noqa: F401 - whether it is there
    except ImportError as error:
        raise ExportError(
            "Parquet needs pyarrow: install the extra with `pip install 'ragcrawler[parquet]'`, or take "
            "--format jsonl."
        ) from error


def _chunks(opened: Any, header: ExportHeader) -> Iterator[SemanticChunk]:
    import pyarrow as pa

    number = 0
    try:
        for batch in opened.iter_batches(READ_BATCH):
            for row in batch.to_pylist():
                number += 1
                yield chunk_from_row(_deep(row, header), has_vectors=header.has_vectors)
    except (pa.ArrowException, ValueError, KeyError, OSError) as error:
        raise ExportError(f"Row {max(number, 1)} of the export: {error}. Export again.") from error


def _schema(header: ExportHeader) -> "pa.Schema":
    import pyarrow as pa

    types: dict[Any, pa.DataType] = {
        str: pa.string(),
        int: pa.int64(),
        bool: pa.bool_(),
        tuple[str, ...]: pa.list_(pa.string()),
    }
    columns = [
        (field.name, types.get(field.type, pa.string()))
        for field in fields(SemanticChunk)
        if field.name != "vectors"
    ]
    if header.has_vectors:
        columns += [
            (_DENSE, pa.list_(pa.float32())),
            (_INDICES, pa.list_(pa.uint32())),
            (_VALUES, pa.list_(pa.float32())),
        ]
        if header.models.tokens:
            columns.append((_TOKENS, pa.list_(pa.string())))
    return pa.schema(columns, metadata={_METADATA_KEY: json.dumps(header.record()).encode()})


def _flat(chunk: SemanticChunk) -> dict[str, Any]:
    row = chunk_row(chunk)
    row.update({name: json.dumps(row[name], ensure_ascii=False) for name in _AS_JSON})
    vectors = row.pop("vectors", None)
    if vectors is not None:
        row.update({_DENSE: vectors["dense"], _INDICES: vectors["sparse"]["indices"]})
        row[_VALUES] = vectors["sparse"]["values"]
        row[_TOKENS] = vectors.get("tokens", [])
    return row


def _deep(row: dict[str, Any], header: ExportHeader) -> dict[str, Any]:
    row.update({name: json.loads(row[name]) for name in _AS_JSON})
    if header.has_vectors:
        sparse = {"indices": row.pop(_INDICES), "values": row.pop(_VALUES)}
        tokens = row.pop(_TOKENS, None)
        row["vectors"] = {"dense": row.pop(_DENSE), "sparse": sparse, "tokens": tokens}
    return row
