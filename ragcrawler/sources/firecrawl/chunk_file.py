"""The file of chunks that specification 003 asks for, written as the documents come."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ragcrawler.catalogue.exports.atomic_file import atomic_file
from ragcrawler.items import Document, SemanticChunk


def specified_chunk(chunk: SemanticChunk) -> dict[str, Any]:
    """A chunk as specification 003 shapes it; where it is too long, a whole document or a part, that too."""
    flags = {
        "oversized": chunk.extra.oversized,
        "full_document": chunk.extra.full_document,
        "split_sequence": chunk.split_sequence,
    }
    return {
        "chunk_id": chunk.chunk_id,
        "source_url": chunk.source_url,
        "content": chunk.content,
        "headers": dict(chunk.headers),
        "token_count": chunk.token_count,
        "summary": chunk.summary,
        **{name: value for name, value in flags.items() if value},
    }


def tutorial_chunk(chunk: SemanticChunk) -> dict[str, Any]:
    """A chunk in the shape of Anthropic's tutorial."""
    return {
        "chunk_link": chunk.chunk_link,
        "chunk_heading": chunk.parent_section or chunk.document_title,
        "text": chunk.content,
        "summary": chunk.summary,
    }


SHAPES: Mapping[str, Callable[[SemanticChunk], dict[str, Any]]] = {
    "chunks": specified_chunk,
    "anthropic": tutorial_chunk,
}


class ChunkFile:
    """A JSON list of chunks in the order of the documents, which come in any.

    It takes its name when it is whole, and one that was there stays until then. Until the end the chunks lie
    in a file beside it; what is remembered of a document are three numbers.

    Args:
        path: of the file.
        shape: a key of `SHAPES`.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path, shape: str) -> None:
        self._path = path
        self._shape = SHAPES[shape]
        self._unordered = path.with_name(f".{path.name}.unordered")
        self._file: BinaryIO = self._unordered.open("w+b")
        self._pieces: list[tuple[int, int, int]] = []

    def add(self, document: Document, place: int) -> None:
        """Write the chunks of a document that stands at a place among the others.

        Raises:
            OSError: they cannot be written.
        """
        lines = (json.dumps(self._shape(chunk), ensure_ascii=False) for chunk in document.chunks)
        piece = ",\n".join(lines).encode("utf-8", "replace")
        if piece:
            self._pieces.append((place, self._file.tell(), self._file.write(piece)))

    def discard(self) -> None:
        """Leave the list unfinished, and what was there before as it was."""
        self._file.close()
        self._unordered.unlink(missing_ok=True)

    def close(self) -> None:
        """Write the list.

        Raises:
            OSError: it cannot be written.
        """
        try:
            with atomic_file(self._path) as out:
                separator = b"[\n"
                for _, start, length in sorted(self._pieces):
                    self._file.seek(start)
                    out.write(separator + self._file.read(length))
                    separator = b",\n"
                out.write(b"\n]\n" if self._pieces else b"[]\n")
        finally:
            self.discard()
