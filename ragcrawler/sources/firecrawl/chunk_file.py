"""The file of chunks that specification 003 asks for, written as the documents come."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from ragcrawler.items import Document, SemanticChunk


def specified_chunk(chunk: SemanticChunk) -> dict[str, Any]:
    """A chunk as specification 003 shapes it."""
    return {
        "chunk_id": chunk.chunk_id,
        "source_url": chunk.source_url,
        "content": chunk.content,
        "headers": dict(chunk.headers),
        "token_count": chunk.token_count,
        "summary": chunk.summary,
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
    """A JSON list of chunks; it takes its name when it is whole, and one that was there stays until then.

    Args:
        path: of the file.
        shape: a key of `SHAPES`.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path, shape: str) -> None:
        self._path = path
        self._building = path.with_name(f".{path.name}.part")
        self._shape = SHAPES[shape]
        self._file: BinaryIO = self._building.open("wb")
        self._separator = b"[\n"

    def add(self, document: Document) -> None:
        """Write the chunks of a document.

        Raises:
            OSError: they cannot be written.
        """
        for chunk in document.chunks:
            line = json.dumps(self._shape(chunk), ensure_ascii=False).encode("utf-8", "replace")
            self._file.write(self._separator + line)
            self._separator = b",\n"

    def discard(self) -> None:
        """Leave the list unfinished, and what was there before as it was."""
        self._file.close()
        self._building.unlink(missing_ok=True)

    def close(self) -> None:
        """End the list.

        Raises:
            OSError: it cannot be written.
        """
        self._file.write(b"[]\n" if self._separator == b"[\n" else b"\n]\n")
        self._file.close()
        self._building.replace(self._path)
