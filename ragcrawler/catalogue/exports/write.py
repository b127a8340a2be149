"""The documents of a catalogue in one of the formats."""

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal

from ragcrawler.catalogue.exports.documents import ExportedDocument, exported_documents
from ragcrawler.catalogue.exports.llms_text import write_llms_text
from ragcrawler.catalogue.exports.markdown_folder import write_markdown_folder
from ragcrawler.catalogue.protocol import CatalogueReader

FolderFormat = Literal["markdown", "llms"]


@dataclass(frozen=True, slots=True)
class ExportCounts:
    """The counts of an export.

    Attributes:
        documents: all.
        composed: of these put together from their chunks.
    """

    documents: int
    composed: int


class DocumentExport:
    """Writes the documents of a catalogue, and counts those of which only the chunks are known.

    Args:
        catalogue: open.
    """

    def __init__(self, catalogue: CatalogueReader) -> None:
        self._catalogue = catalogue
        self._composed = 0

    def to_lines(self, opened: AbstractContextManager[IO[bytes]]) -> ExportCounts:
        """Write one JSON line a document.

        Raises:
            OSError: it cannot be written.
            CatalogueError: the catalogue cannot be read.
        """
        with opened as out:
            return ExportCounts(write_json_lines(out, self._documents()), self._composed)

    def to_folder(self, kind: FolderFormat, folder: Path, *, pictures: Path, name: str) -> ExportCounts:
        """Write Markdown files, or llms.txt with its companion.

        Args:
            kind: which.
            folder: where to.
            pictures: where those of the documents lie.
            name: of the collection.

        Raises:
            FolderError: somebody else's files are in the folder.
            OSError: it cannot be written.
            CatalogueError: the catalogue cannot be read.
        """
        documents = self._documents()
        written = (
            write_llms_text(folder, documents, name)
            if kind == "llms"
            else write_markdown_folder(folder, documents, pictures)
        )
        return ExportCounts(written, self._composed)

    def _documents(self) -> Iterator[ExportedDocument]:
        for exported in exported_documents(self._catalogue):
            self._composed += exported.is_composed
            yield exported


def write_json_lines(out: IO[bytes], documents: Iterable[ExportedDocument]) -> int:
    """Write one line a document, without its chunks, which `scrapy export` writes; how many there were.

    Raises:
        OSError: it cannot be written.
    """
    written = 0
    for written, exported in enumerate(documents, start=1):  # noqa: B007 - the last number is the result
        # Half of a surrogate pair is no text; as an escape every reader of JSON takes it.
        out.write(json.dumps(_record(exported)).encode("ascii") + b"\n")
    return written


def _record(exported: ExportedDocument) -> dict[str, Any]:
    document = exported.document
    return {
        "id": document.id,
        "url": document.url,
        "aliases": list(exported.aliases),
        "title": document.title,
        "language": document.language,
        "markdown": document.markdown,
        "content_hash": document.content_hash,
        "fetched_at": document.fetched_at,
        "last_modified": document.last_modified,
        "metadata": asdict(document.metadata),
        "anchors": [asdict(anchor) for anchor in document.anchors],
        "is_composed": exported.is_composed,
    }
