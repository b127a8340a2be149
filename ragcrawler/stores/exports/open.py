"""An export by its format."""

from collections.abc import Iterable, Iterator
from typing import IO, Literal

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.exports.header import ExportHeader
from ragcrawler.stores.exports.jsonl import read_jsonl, write_jsonl
from ragcrawler.stores.exports.parquet import read_parquet, write_parquet

ExportFormat = Literal["jsonl", "parquet"]

_PARQUET_MAGIC = b"PAR1"


def write_export(
    out: IO[bytes], kind: ExportFormat, header: ExportHeader, chunks: Iterable[SemanticChunk]
) -> int:
    """Write chunks as they come, a batch in memory at most; their number.

    Raises:
        ExportError: the format needs a library that is missing.
        OSError: it cannot be written.
    """
    return {"jsonl": write_jsonl, "parquet": write_parquet}[kind](out, header, chunks)


def read_export(file: IO[bytes]) -> tuple[ExportHeader, Iterator[SemanticChunk]]:
    """The header and the chunks, as they are asked for, of a file in either format.

    Args:
        file: from its beginning; buffered, as `open` gives it. Parquet needs one that can be sought in.

    Raises:
        ExportError: it is no export; while the chunks are read, also: it is damaged or cut off.
        OSError: it cannot be read.
    """
    # A buffered reader shows what comes without taking it, standard input too.
    beginning = file.peek(len(_PARQUET_MAGIC)) if hasattr(file, "peek") else b""
    return read_parquet(file) if beginning.startswith(_PARQUET_MAGIC) else read_jsonl(file)
