"""Queries of a catalogue."""

import sqlite3
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

from ragcrawler.catalogue.errors import catalogue_errors
from ragcrawler.catalogue.packing import unpack_chunks, unpack_markdown, unpack_urls
from ragcrawler.catalogue.record import UNLINKED, ChunkRecord, DocumentRecord, NearHash
from ragcrawler.catalogue.revisit import DueDate
from ragcrawler.catalogue.schema import migrate
from ragcrawler.items import Document, SemanticChunk

RECOVERED = "recovered"  # stands for a crawl in the sightings of a document that was entered from its points

_BUSY_SECONDS = 30.0
_PAGE = 256
COLUMNS = [field.name for field in fields(DocumentRecord) if field.name not in {"chunks", "aliases"}]
NAMES = ", ".join(COLUMNS)
_SAME_TEXT = "document_id = ? AND content_hash = ?"
# What is unfinished, or was missing, is due at once.
_DUE_DATES = (
    "SELECT document_id, url, "  # noqa: S608 - no value in it
    "CASE WHEN is_unfinished OR page_hash = '' OR missing_runs THEN 0.0 ELSE due_at END "
    f"FROM documents WHERE site = ? AND document_id > ? AND missing_reason != '{UNLINKED}' "
    f"ORDER BY document_id LIMIT {_PAGE}"
)
_ALIASES_BETWEEN = "SELECT url, document_id FROM aliases WHERE document_id BETWEEN ? AND ?"


def open_database(path: Path | None) -> sqlite3.Connection:
    """The file's database with its tables, made where it is not there; None: one in memory.

    With the write-ahead log a killed process loses nothing. `synchronous = NORMAL` lets a power cut take back
    the last transactions, whole ones, but none before the last durable one. Then the catalogue is behind the
    collection, and the next crawl only does some pages again. It is never ahead, which would pass for done
    what is not: the collection is flushed before the catalogue is written.

    Raises:
        CatalogueError: the file cannot be made, is damaged, or not ours.
    """
    with catalogue_errors("open", path):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            migrate(database)
        except BaseException:
            database.close()
            raise
        return database


class CatalogueReader:
    """The open file and the questions to it; `DocumentCatalogue` adds what writes."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._database = open_database(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; calling it twice is fine."""
        self._database.close()

    def get(self, document_id: str) -> DocumentRecord | None:
        return next(iter(self._records("WHERE document_id = ?", document_id)), None)

    def by_url(self, url: str) -> DocumentRecord | None:
        """The record of the document with this canonical URL, or with this alias."""
        found = self._records(
            "WHERE url = ? OR document_id = (SELECT document_id FROM aliases WHERE url = ?)", url, url
        )
        return min(found, key=lambda record: record.url != url, default=None)

    def by_content_hash(self, content_hash: str) -> DocumentRecord | None:
        """The document with this text, the one that was found first."""
        where = "WHERE content_hash = ? ORDER BY first_seen, document_id LIMIT 1"
        return next(iter(self._records(where, content_hash)), None)

    def document_of_chunk(self, chunk_id: str) -> str:
        """Id of the document that has this chunk, "" where none does."""
        rows = self._rows("SELECT document_id FROM chunks WHERE chunk_id = ?", chunk_id)
        return str(rows[0][0]) if rows else ""

    def documents(self, site: str | None = None) -> Iterator[DocumentRecord]:
        """Every record, or those of a site, in the order of their ids; read in pages.

        Records may be changed meanwhile.
        """
        last = ""
        while page := self._page(site, last):
            yield from page
            last = page[-1].document_id

    def ids_by_url(self) -> list[str]:
        """The ids of all documents, in the order of their URLs."""
        return [each for (each,) in self._rows("SELECT document_id FROM documents ORDER BY url")]

    def sites(self) -> list[str]:
        """The sites that have documents, in order."""
        return [site for (site,) in self._rows("SELECT DISTINCT site FROM documents ORDER BY site")]

    def count(self, site: str | None = None) -> int:
        where, values = ("", ()) if site is None else (" WHERE site = ?", (site,))
        return int(self._rows(f"SELECT count(*) FROM documents{where}", *values)[0][0])  # noqa: S608 - no value in it

    def near_hashes(self, site: str | None = None) -> Iterator[NearHash]:
        """The fingerprints for near-duplicates, of documents that have one."""
        where, values = ("", ()) if site is None else (" AND site = ?", (site,))
        query = f"SELECT document_id, near_hash FROM documents WHERE near_hash != ''{where}"  # noqa: S608 - no value in it
        return (NearHash(*row) for row in self._rows(query, *values))

    def due_dates(self, site: str) -> Iterator[DueDate]:
        """When the pages of a site are due, and their aliases with them; read in pages.

        Those that no page linked to any more are left out: a crawl that follows all links judges them.
        """
        last = ""
        while page := self._rows(_DUE_DATES, site, last):
            last = page[-1][0]
            yield from (DueDate(*row) for row in page)
            due_of = {document_id: due_at for document_id, _, due_at in page}
            for url, document_id in self._rows(_ALIASES_BETWEEN, page[0][0], last):
                if document_id in due_of:
                    yield DueDate(document_id, url, due_of[document_id], is_alias=True)

    def chunks(self, document_id: str) -> list[SemanticChunk]:
        """The chunks of a document as they were stored, without vectors; none where they are not known."""
        rows = self._rows("SELECT records FROM texts WHERE document_id = ?", document_id)
        return unpack_chunks(rows[0][0]) if rows else []

    def has_markdown(self, record: DocumentRecord) -> bool:
        """Whether the Markdown of a document is known as it is in the collection."""
        query = f"SELECT 1 FROM markdown WHERE {_SAME_TEXT}"  # noqa: S608 - no value in it
        return bool(self._rows(query, record.document_id, record.content_hash))

    def document(self, record: DocumentRecord) -> Document | None:
        """The document of a record, with its chunks; None where its Markdown is not known."""
        query = f"SELECT record FROM markdown WHERE {_SAME_TEXT}"  # noqa: S608 - no value in it
        rows = self._rows(query, record.document_id, record.content_hash)
        if not rows:
            return None
        return Document(
            id=record.document_id,
            url=record.url,
            content_hash=record.content_hash,
            fetched_at=record.fetched_at,
            chunks=tuple(self.chunks(record.document_id)),
            etag=record.etag,
            last_modified=record.last_modified,
            page_hash=record.page_hash,
            near_hash=record.near_hash,
            **unpack_markdown(rows[0][0]),
        )

    def links(self, document_id: str) -> tuple[str, ...]:
        """The canonical URLs that its page linked to when it was last read."""
        rows = self._rows("SELECT urls FROM links WHERE document_id = ?", document_id)
        return unpack_urls(rows[0][0]) if rows else ()

    def was_reached(self, document_id: str, crawl: str) -> bool:
        """Whether a crawl with these arguments has led to a document."""
        where = "document_id = ? AND crawl = ?"
        return bool(self._rows(f"SELECT 1 FROM sightings WHERE {where}", document_id, crawl))  # noqa: S608 - no value in it

    def is_only_recovered(self, document_id: str) -> bool:
        """Whether a document was entered from its points, and no crawl has led to it since."""
        rows = self._rows("SELECT crawl FROM sightings WHERE document_id = ?", document_id)
        return rows == [(RECOVERED,)]

    def _page(self, site: str | None, last: str) -> list[DocumentRecord]:
        if site is None:
            return self._records(f"WHERE document_id > ? ORDER BY document_id LIMIT {_PAGE}", last)
        where = f"WHERE site = ? AND document_id > ? ORDER BY document_id LIMIT {_PAGE}"
        return self._records(where, site, last)

    def _records(self, where: str, *values: Any) -> list[DocumentRecord]:
        rows = self._rows(f"SELECT {NAMES} FROM documents {where}", *values)  # noqa: S608 - no value in it
        return [self._record(dict(zip(COLUMNS, row, strict=True))) for row in rows]

    def _record(self, row: dict[str, Any]) -> DocumentRecord:
        document_id = row["document_id"]
        chunks = self._rows(
            "SELECT chunk_id, embed_hash, payload_hash, checksum FROM chunks WHERE document_id = ? "
            "ORDER BY position",
            document_id,
        )
        aliases = self._rows("SELECT url FROM aliases WHERE document_id = ? ORDER BY url", document_id)
        return DocumentRecord(
            **(row | {"is_unfinished": bool(row["is_unfinished"])}),
            chunks=tuple(ChunkRecord(*chunk) for chunk in chunks),
            aliases=tuple(url for (url,) in aliases),
        )

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with catalogue_errors("read", self.path):
            return self._database.execute(query, values).fetchall()
