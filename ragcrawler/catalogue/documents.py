"""Records of documents in one SQLite file."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Self

from ragcrawler.catalogue.database import open_database
from ragcrawler.catalogue.errors import catalogue_errors
from ragcrawler.catalogue.packing import packed_chunks, packed_urls, unpacked_chunks, unpacked_urls
from ragcrawler.catalogue.record import ChunkMark, DocumentRecord, NearHash
from ragcrawler.items import SemanticChunk

_PAGE = 256
_TABLES = ("chunks", "texts", "links", "aliases", "sightings", "documents")
_COLUMNS = [field.name for field in fields(DocumentRecord) if field.name not in {"chunks", "aliases"}]
_NAMES = ", ".join(_COLUMNS)
_INSERT = f"INSERT OR REPLACE INTO documents ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - names of our own fields


class DocumentCatalogue:
    """What was stored of each document; not thread-safe: the store's thread owns it.

    The store is the truth about points. The catalogue says what should be there, and from which page it came;
    it is written after the store, so that it never claims more than the store has.

    Args:
        path: its file, made where it is not there; None for one in memory.

    Raises:
        CatalogueError: the file cannot be used; every method raises it where the disk fails.
    """

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
        """The record of a document."""
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

    def owner(self, chunk_id: str) -> str:
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

    def sites(self) -> list[str]:
        """The sites that have documents, in order."""
        return [site for (site,) in self._rows("SELECT DISTINCT site FROM documents ORDER BY site")]

    def count(self, site: str | None = None) -> int:
        """How many documents there are."""
        where, values = ("", ()) if site is None else (" WHERE site = ?", (site,))
        return int(self._rows(f"SELECT count(*) FROM documents{where}", *values)[0][0])  # noqa: S608 - no value in it

    def near_hashes(self, site: str | None = None) -> Iterator[NearHash]:
        """The fingerprints for near-duplicates, of documents that have one."""
        where, values = ("", ()) if site is None else (" AND site = ?", (site,))
        query = f"SELECT document_id, near_hash FROM documents WHERE near_hash != ''{where}"  # noqa: S608 - no value in it
        return (NearHash(*row) for row in self._rows(query, *values))

    def chunks(self, document_id: str) -> list[SemanticChunk]:
        """The chunks of a document as they were stored, without vectors; none where they are not known."""
        rows = self._rows("SELECT records FROM texts WHERE document_id = ?", document_id)
        return unpacked_chunks(rows[0][0]) if rows else []

    def links(self, document_id: str) -> tuple[str, ...]:
        """The canonical URLs that its page linked to when it was last read."""
        rows = self._rows("SELECT urls FROM links WHERE document_id = ?", document_id)
        return unpacked_urls(rows[0][0]) if rows else ()

    def put(
        self,
        records: Sequence[DocumentRecord],
        texts: Mapping[str, Sequence[SemanticChunk]] | None = None,
    ) -> None:
        """Write records in one transaction, each in place of the one before.

        Args:
            records: their aliases are added to those that are known.
            texts: by document id, the chunks whose marks the records have, to mend a collection from.
        """
        with self.transaction() as database:
            for record in records:
                database.execute(_INSERT, self._values(record))
                database.execute("DELETE FROM chunks WHERE document_id = ?", [record.document_id])
                database.executemany(
                    "INSERT INTO chunks VALUES (?, ?, ?, ?, ?)",
                    [
                        (record.document_id, position, mark.id, mark.embed_hash, mark.payload_hash)
                        for position, mark in enumerate(record.chunks)
                    ],
                )
                # What is a document by itself is no other name of one.
                database.execute("DELETE FROM aliases WHERE url = ?", [record.url])
                self._add_aliases(record.document_id, record.aliases)
            for document_id, chunks in (texts or {}).items():
                blob = packed_chunks(chunks)
                database.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", [document_id, blob])

    def put_links(self, document_id: str, urls: Sequence[str]) -> None:
        """Remember where a page leads, for the day on which its site only says that it did not change."""
        with self.transaction() as database:
            blob = packed_urls(urls)
            database.execute("INSERT OR REPLACE INTO links VALUES (?, ?)", [document_id, blob])

    def add_alias(self, document_id: str, url: str) -> None:
        """Enter another URL of the same text."""
        with self.transaction():
            self._add_aliases(document_id, (url,))

    def begin(self, records: Sequence[DocumentRecord]) -> None:
        """Say that documents are about to be written to the store; `put` says that they are there.

        Until then nothing lets a crawl pass them over: neither the hash of the page nor its validators. No
        chunk of a new one counts as stored.
        """
        started = [
            replace(record, page_hash="", content_hash="", near_hash="", etag="", last_modified="")
            for record in records
        ]
        with self.transaction() as database:
            database.executemany(
                _INSERT.replace("OR REPLACE", "OR IGNORE"), [self._values(record) for record in started]
            )
            database.executemany(
                "UPDATE documents SET is_unfinished = 1, page_hash = '', etag = '', last_modified = '' "
                "WHERE document_id = ?",
                [(record.document_id,) for record in started],
            )

    def saw(self, document_id: str, run: str, *, etag: str = "", last_modified: str = "") -> None:
        """The page is there, and as it was."""
        with self.transaction() as database:
            database.execute(
                "UPDATE documents SET last_seen = ?, missing_runs = 0, missing_reason = '', etag = ?, "
                "last_modified = ? WHERE document_id = ?",
                [run, etag, last_modified, document_id],
            )

    def sighted(self, document_ids: Sequence[str], crawl: str) -> None:
        """Enter that crawls with these arguments lead to these documents."""
        with self.transaction() as database:
            database.executemany(
                "INSERT OR IGNORE INTO sightings VALUES (?, ?)", [(each, crawl) for each in document_ids]
            )

    def was_sighted(self, document_id: str, crawl: str) -> bool:
        """Whether a crawl with these arguments has led to a document."""
        where = "document_id = ? AND crawl = ?"
        return bool(self._rows(f"SELECT 1 FROM sightings WHERE {where}", document_id, crawl))  # noqa: S608 - no value in it

    def mark_missing(self, document_ids: Sequence[str], reason: str) -> None:
        """One more run in a row found these gone."""
        with self.transaction() as database:
            database.executemany(
                "UPDATE documents SET missing_runs = missing_runs + 1, missing_reason = ? "
                "WHERE document_id = ?",
                [(reason, each) for each in document_ids],
            )

    def remove(self, document_ids: Sequence[str]) -> None:
        """Forget documents; unknown ids are no error."""
        with self.transaction() as database:
            for table in _TABLES:
                database.executemany(
                    f"DELETE FROM {table} WHERE document_id = ?",  # noqa: S608 - a name of our own
                    [(each,) for each in document_ids],
                )

    def clear(self) -> None:
        """Forget all documents."""
        with self.transaction() as database:
            for table in _TABLES:
                database.execute(f"DELETE FROM {table}")  # noqa: S608 - a name of our own

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All writes inside happen, or none; it may stand in another one."""
        with catalogue_errors("write to", self.path):
            if self._database.in_transaction:
                yield self._database
                return
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    @staticmethod
    def _values(record: DocumentRecord) -> list[Any]:
        return [getattr(record, name) for name in _COLUMNS]

    def _add_aliases(self, document_id: str, urls: Sequence[str]) -> None:
        self._database.executemany(
            "INSERT OR REPLACE INTO aliases VALUES (?, ?)", [(url, document_id) for url in urls]
        )

    def _page(self, site: str | None, last: str) -> list[DocumentRecord]:
        if site is None:
            return self._records(f"WHERE document_id > ? ORDER BY document_id LIMIT {_PAGE}", last)
        where = f"WHERE site = ? AND document_id > ? ORDER BY document_id LIMIT {_PAGE}"
        return self._records(where, site, last)

    def _records(self, where: str, *values: Any) -> list[DocumentRecord]:
        rows = self._rows(f"SELECT {_NAMES} FROM documents {where}", *values)  # noqa: S608 - no value in it
        return [self._record(dict(zip(_COLUMNS, row, strict=True))) for row in rows]

    def _record(self, row: dict[str, Any]) -> DocumentRecord:
        document_id = row["document_id"]
        marks = self._rows(
            "SELECT chunk_id, embed_hash, payload_hash FROM chunks WHERE document_id = ? ORDER BY position",
            document_id,
        )
        aliases = self._rows("SELECT url FROM aliases WHERE document_id = ? ORDER BY url", document_id)
        return DocumentRecord(
            **(row | {"is_unfinished": bool(row["is_unfinished"])}),
            chunks=tuple(ChunkMark(*mark) for mark in marks),
            aliases=tuple(url for (url,) in aliases),
        )

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with catalogue_errors("read", self.path):
            return self._database.execute(query, values).fetchall()
