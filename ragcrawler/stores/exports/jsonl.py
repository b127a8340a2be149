"""An export as JSON lines: a header, a line a chunk, and a last line with their number.

The last line tells a whole file from one that was cut off.
"""

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

from ragcrawler.items import SemanticChunk
from ragcrawler.stores.exports.chunk_row import chunk_from_row, chunk_row
from ragcrawler.stores.exports.header import ExportError, ExportHeader, header_from_record

_COUNT = "chunks"
_LONGEST_LINE = 64 * 2**20  # bytes; a chunk with its vectors has a few kilobytes


def write_jsonl(out: IO[bytes], header: ExportHeader, chunks: Iterable[SemanticChunk]) -> int:
    """Write an export; the number of its chunks.

    Raises:
        OSError: it cannot be written.
    """
    out.write(_line(header.record()))
    written = 0
    for chunk in chunks:
        out.write(_line(chunk_row(chunk)))
        written += 1
    out.write(_line({_COUNT: written}))
    return written


def read_jsonl(file: IO[bytes]) -> tuple[ExportHeader, Iterator[SemanticChunk]]:
    """The header, and the chunks one by one as they are asked for.

    Raises:
        ExportError: it is no export; while the chunks are read, also: a line is damaged, and is named, or the
            file was cut off.
        OSError: it cannot be read.
    """
    lines = _lines(file)
    _, first = next(lines, (1, None))
    header = header_from_record(first)
    return header, _chunks(lines, header)


def _chunks(lines: Iterator[tuple[int, Any]], header: ExportHeader) -> Iterator[SemanticChunk]:
    read = 0
    for number, record in lines:
        if isinstance(record, dict) and set(record) == {_COUNT}:
            _check_end(record[_COUNT], read, number, lines)
            return
        try:
            yield chunk_from_row(record, has_vectors=header.has_vectors)
        except ValueError as error:
            raise ExportError(f"Line {number} of the export: {error}.") from error
        read += 1
    raise ExportError(
        f"The export was cut off after line {read + 1}, {read} chunks: its last line is missing. Export "
        "again."
    )


def _check_end(said: Any, read: int, number: int, lines: Iterator[tuple[int, Any]]) -> None:
    if said != read:
        raise ExportError(
            f"Line {number} of the export says that it has {said!r} chunks, but it has {read}. Export again."
        )
    behind = next(lines, None)
    if behind is not None:
        raise ExportError(f"Line {behind[0]} of the export stands behind its end. Export again.")


def _lines(file: IO[bytes]) -> Iterator[tuple[int, Any]]:
    """The lines from 1, as JSON values."""
    number = 0
    while line := file.readline(_LONGEST_LINE + 1):
        number += 1
        if len(line) > _LONGEST_LINE:
            raise ExportError(
                f"Line {number} of the export is longer than {_LONGEST_LINE} bytes: it is no chunk."
            )
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ExportError(f"Line {number} of the export is no JSON ({error}). Export again.") from error


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"
