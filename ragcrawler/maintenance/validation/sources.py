"""Documents with their chunks: of a feed, of Markdown files, of the collection."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ragcrawler.catalogue import DocumentCatalogue
from ragcrawler.items import Document, SemanticChunk, chunk_from_record

Cut = Callable[[str, str], Sequence[SemanticChunk]]


class SourceError(Exception):
    """A file to be validated cannot be read; says which line, and why."""


def feed_documents(path: Path) -> Iterator[Document]:
    """The documents of a feed in JSON lines, each with its Markdown and its chunks.

    Raises:
        SourceError: a line is something else, or the file cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _document(line, f"{path}, line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}") from error


def markdown_documents(path: Path, cut: Cut) -> Iterator[Document]:
    """The Markdown file, or those of the folder, cut as they would be now.

    Raises:
        SourceError: there are none, or one cannot be read.
    """
    files = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    if not files:
        raise SourceError(f"the folder {path} holds no *.md files")
    for file in files:
        name = str(file.relative_to(path)) if path.is_dir() else file.name
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SourceError(f"{file} cannot be read: {error}") from error
        yield _made(name, text, cut(text, name))


def collection_documents(
    catalogue: DocumentCatalogue, on_missing: Callable[[str], None]
) -> Iterator[Document]:
    """The documents of the collection, as the catalogue has them.

    Args:
        catalogue: of the collection.
        on_missing: called with the URLs of documents whose text it does not have.

    Raises:
        CatalogueError: it cannot be read.
    """
    for record in catalogue.documents():
        document = catalogue.document(record)
        if document is None:
            on_missing(record.url)
        else:
            yield document


def _document(line: str, place: str) -> Document:
    try:
        row: dict[str, Any] = json.loads(line)
        chunks = tuple(chunk_from_record(chunk) for chunk in row["chunks"])
        url, markdown = row["url"], row["markdown"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(
            f"{place} is no document of a feed ({type(error).__name__}: {error}): "
            "it takes `documents.jsonl` of a run, or any feed of ours in JSON lines"
        ) from error
    return _made(url, markdown, chunks)


def _made(url: str, markdown: str, chunks: Sequence[SemanticChunk]) -> Document:
    return Document(url, url, "", "", markdown, "", "", chunks=tuple(chunks))
