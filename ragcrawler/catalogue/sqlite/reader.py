"""Queries of a catalogue in a SQLite file."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

from ragcrawler.catalogue.errors import catalogue_errors
from ragcrawler.catalogue.kept_out import KeptOutEntry, TakenOut
from ragcrawler.catalogue.packing import document_of, unpack_chunks
from ragcrawler.catalogue.protocol import RECOVERED, CatalogueReader
from ragcrawler.catalogue.record import UNLINKED, ChunkRecord, DocumentRecord, NearHash, SiteTotals
from ragcrawler.catalogue.revisit import DueDate
from ragcrawler.catalogue.sqlite.schema import migrate
from ragcrawler.items import Document, SemanticChunk

_BUSY_SECONDS = 30.0
_PAGE = 256
_MANY = 10_000
COLUMNS = [field.name for field in fields(DocumentRecord) if field.name not in {"chunks", "aliases"}]
NAMES = ", ".join(COLUMNS)
_SAME_TEXT = "document_id = ? AND content_hash = ?"
# Of what is unfinished, the store has the chunks alone that bear a checksum.
_SITE_TOTALS = (
    "SELECT site, count(*), CAST(coalesce(sum(number), 0) AS bigint), max(fetched_at), "
    "count(*) FILTER (WHERE missing_runs > 0) FROM documents LEFT JOIN ("
    "SELECT document_id, count(*) AS number FROM chunks JOIN documents USING (document_id) "
    "WHERE checksum <> '' OR NOT is_unfinished GROUP BY document_id"
    ") AS counted USING (document_id) WHERE number > 0 OR NOT is_unfinished GROUP BY site ORDER BY site"
)
# What is unfinished, or was missing, is due at once.
_DUE_DATES = (
    "SELECT document_id, url, "  # noqa: S608 - no value in it
    "CASE WHEN is_unfinished OR page_hash = '' OR missing_runs THEN 0.0 ELSE due_at END "
    f"FROM documents WHERE site = ? AND document_id > ? AND missing_reason != '{UNLINKED}' "
    f"ORDER BY document_id LIMIT {_PAGE}"
)
_ALIASES_BETWEEN = "SELECT url, document_id FROM aliases WHERE document_id BETWEEN ? AND ?"


def place_of(path: Path | None) -> str:
    """A file's path for messages."""
    return repr(str(path)) if path else "in memory"


def open_database(path: Path | None) -> sqlite3.Connection:
    """The file's database with its tables, made where it is not there; None: one in memory.

    With the write-ahead log a killed process loses nothing. `synchronous = NORMAL` lets a power cut take back
    the last transactions, whole ones, but none before the last durable one. Then the catalogue is behind the
    collection, and the next crawl only does some pages again. It is never ahead, which would pass for done
    what is not: the collection is flushed before the catalogue is written.

    Raises:
        CatalogueError: the file cannot be made, is damaged, or not ours.
    """
    with catalogue_errors("open", place_of(path)):
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


class SqliteReader(CatalogueReader):
    """The open file and the questions to it; `SqliteCatalogue` adds what writes."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._database = open_database(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def place(self) -> str:
        return place_of(self.path)

    def close(self) -> None:
        self._database.close()

    def get(self, document_id: str) -> DocumentRecord | None:
        return next(iter(self._records("WHERE document_id = ?", document_id)), None)

    def get_all(self, document_ids: Sequence[str]) -> dict[str, DocumentRecord]:
        where = "WHERE document_id IN (SELECT value FROM json_each(?))"
        return {each.document_id: each for each in self._records(where, json.dumps(list(document_ids)))}

    def by_url(self, url: str) -> DocumentRecord | None:
        found = self._records(
            "WHERE url = ? OR document_id = (SELECT document_id FROM aliases WHERE url = ?)", url, url
        )
        return min(found, key=lambda record: record.url != url, default=None)

    def by_content_hash(self, content_hash: str) -> DocumentRecord | None:
        where = "WHERE content_hash = ? ORDER BY first_seen, document_id LIMIT 1"
        return next(iter(self._records(where, content_hash)), None)

    def with_text(self, content_hash: str) -> list[DocumentRecord]:
        return self._records("WHERE content_hash = ? ORDER BY first_seen, document_id", content_hash)

    def urls(self) -> Iterator[tuple[str, str]]:
        query = f"SELECT document_id, url FROM documents WHERE document_id > ? ORDER BY 1 LIMIT {_MANY}"  # noqa: S608 - no value in it
        last = ""
        while page := self._rows(query, last):
            yield from page
            last = page[-1][0]

    def aliases(self) -> Iterator[tuple[str, str]]:
        query = f"SELECT document_id, url FROM aliases WHERE url > ? ORDER BY url LIMIT {_MANY}"  # noqa: S608 - no value in it
        last = ""
        while page := self._rows(query, last):
            yield from page
            last = page[-1][1]

    def documents_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        query = (
            "SELECT chunk_id, document_id FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?)) "
            "ORDER BY document_id DESC"
        )
        return dict(self._rows(query, json.dumps(list(chunk_ids))))

    def documents(self, site: str | None = None, *, after: str = "") -> Iterator[DocumentRecord]:
        last = after
        while page := self._page(site, last):
            yield from page
            last = page[-1].document_id

    def ids_by_url(self) -> list[str]:
        return [each for (each,) in self._rows("SELECT document_id FROM documents ORDER BY url")]

    def sites(self) -> list[str]:
        return [site for (site,) in self._rows("SELECT DISTINCT site FROM documents ORDER BY site")]

    def site_totals(self) -> list[SiteTotals]:
        return [SiteTotals(*row) for row in self._rows(_SITE_TOTALS)]

    def count(self, site: str | None = None) -> int:
        where, values = ("", ()) if site is None else (" WHERE site = ?", (site,))
        return int(self._rows(f"SELECT count(*) FROM documents{where}", *values)[0][0])  # noqa: S608 - no value in it

    def near_hashes(self, site: str | None = None) -> Iterator[NearHash]:
        where, values = ("", ()) if site is None else (" AND site = ?", (site,))
        query = f"SELECT document_id, near_hash FROM documents WHERE near_hash != ''{where}"  # noqa: S608 - no value in it
        return (NearHash(*row) for row in self._rows(query, *values))

    def due_dates(self, site: str) -> Iterator[DueDate]:
        last = ""
        while page := self._rows(_DUE_DATES, site, last):
            last = page[-1][0]
            yield from (DueDate(*row) for row in page)
            due_of = {document_id: due_at for document_id, _, due_at in page}
            for url, document_id in self._rows(_ALIASES_BETWEEN, page[0][0], last):
                if document_id in due_of:
                    yield DueDate(document_id, url, due_of[document_id], is_alias=True)

    def chunks(self, document_id: str) -> list[SemanticChunk]:
        rows = self._rows("SELECT records FROM texts WHERE document_id = ?", document_id)
        return unpack_chunks(rows[0][0]) if rows else []

    def has_markdown(self, record: DocumentRecord) -> bool:
        query = f"SELECT 1 FROM markdown WHERE {_SAME_TEXT}"  # noqa: S608 - no value in it
        return bool(self._rows(query, record.document_id, record.content_hash))

    def document(self, record: DocumentRecord) -> Document | None:
        query = f"SELECT record FROM markdown WHERE {_SAME_TEXT}"  # noqa: S608 - no value in it
        rows = self._rows(query, record.document_id, record.content_hash)
        if not rows:
            return None
        return document_of(record, rows[0][0], self.chunks(record.document_id))

    def shared_blocks(self, site: str) -> dict[str, str]:
        return dict(self._rows("SELECT block, keeper FROM shared_blocks WHERE site = ?", site))

    def was_reached(self, document_id: str, crawl: str) -> bool:
        where = "document_id = ? AND crawl = ?"
        return bool(self._rows(f"SELECT 1 FROM sightings WHERE {where}", document_id, crawl))  # noqa: S608 - no value in it

    def is_only_recovered(self, document_id: str) -> bool:
        rows = self._rows("SELECT crawl FROM sightings WHERE document_id = ?", document_id)
        return rows == [(RECOVERED,)]

    def kept_out(self) -> list[KeptOutEntry]:
        query = "SELECT pattern, kind, text_hash, since FROM kept_out ORDER BY pattern, kind"
        return [KeptOutEntry(*row) for row in self._rows(query)]

    def kept_out_version(self) -> tuple[int, int]:
        ((count, last),) = self._rows("SELECT count(*), coalesce(max(number), 0) FROM kept_out")
        return count, last

    def taken_out(self) -> list[TakenOut]:
        query = "SELECT document_id, url, site, chunks, last_seen FROM taken_out ORDER BY url"
        return [TakenOut(*row) for row in self._rows(query)]

    def open_removals(self) -> dict[int, str]:
        return dict(self._rows("SELECT number, request FROM removals ORDER BY number"))

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
        with catalogue_errors("read", self.place):
            return self._database.execute(query, values).fetchall()
