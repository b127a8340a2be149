"""Queries of a catalogue on a PostgreSQL server."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import cache
from hashlib import sha256
from typing import Any, Self

from ragcrawler.catalogue.errors import CatalogueError
from ragcrawler.catalogue.kept_out import KeptOutEntry, TakenOut
from ragcrawler.catalogue.packing import document_of, unpack_chunks
from ragcrawler.catalogue.protocol import RECOVERED, CatalogueReader
from ragcrawler.catalogue.record import UNLINKED, ChunkRecord, DocumentRecord, NearHash, SiteTotals
from ragcrawler.catalogue.revisit import DueDate
from ragcrawler.items import Document, SemanticChunk
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.migrations import Migration, migrate, read_migrations
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.postgres.waiting import Patience

_PAGE = 256
_MANY = 10_000
COLUMNS = [field.name for field in fields(DocumentRecord) if field.name not in {"chunks", "aliases"}]
# One statement, so that a record never has the chunks of another writer's version of it.
_RECORD = (
    f"SELECT {', '.join(COLUMNS)}, "  # noqa: S608 - names of our own fields
    "(SELECT json_agg(json_build_array(chunk_id, embed_hash, payload_hash, checksum) ORDER BY position) "
    "FROM chunks WHERE chunks.document_id = documents.document_id)::text, "
    "(SELECT json_agg(url ORDER BY url) FROM aliases "
    "WHERE aliases.document_id = documents.document_id)::text FROM documents "
)
_OF_SITE = "WHERE (:site::text IS NULL OR site = :site) "
# Of what is unfinished, the store has the chunks alone that bear a checksum.
_SITE_TOTALS = (
    "SELECT site, count(*), coalesce(sum(number), 0)::bigint, max(fetched_at), "
    "count(*) FILTER (WHERE missing_runs > 0) FROM documents LEFT JOIN ("
    "SELECT document_id, count(*) AS number FROM chunks JOIN documents USING (document_id) "
    "WHERE checksum <> '' OR NOT is_unfinished GROUP BY document_id"
    ") AS counted USING (document_id) WHERE number > 0 OR NOT is_unfinished GROUP BY site ORDER BY site"
)
# What is unfinished, or was missing, is due at once.
_DUE_DATES = (
    "SELECT document_id, url, "  # noqa: S608 - no value in it
    "CASE WHEN is_unfinished OR page_hash = '' OR missing_runs > 0 THEN 0 ELSE due_at END "
    f"FROM documents WHERE site = :site AND document_id > :last AND missing_reason <> '{UNLINKED}' "
    f"ORDER BY document_id LIMIT {_PAGE}"
)


class PostgresReader(CatalogueReader):
    """The session and the questions; `PostgresCatalogue` adds what writes.

    Args:
        address: of the database.
        schema: of this catalogue in it, made where it is not there.
        patience: with a server that is away.

    Raises:
        CatalogueError: the database cannot be used.
    """

    def __init__(self, address: PostgresAddress, schema: str, patience: Patience | None = None) -> None:
        self._place = f"{address.shown}, schema {schema}"
        with self._errors("open"):
            self._session = PostgresSession(address, schema=schema, patience=patience)
            try:
                migrate(self._session, migrations())
            except BaseException:
                self._session.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def place(self) -> str:
        return self._place

    def close(self) -> None:
        with self._errors("close"):
            self._session.close()

    def get(self, document_id: str) -> DocumentRecord | None:
        return next(iter(self._records("WHERE document_id = :id", id=document_id)), None)

    def get_all(self, document_ids: Sequence[str]) -> dict[str, DocumentRecord]:
        found = self._records("WHERE document_id = ANY(:ids::text[])", ids=list(document_ids))
        return {each.document_id: each for each in found}

    def by_url(self, url: str) -> DocumentRecord | None:
        found = self._records(
            # With OR both tables would be read as a whole.
            "WHERE document_id IN (SELECT document_id FROM documents WHERE url = :url "
            "UNION ALL SELECT document_id FROM aliases WHERE url_key = :key)",
            url=url,
            key=url_key(url),
        )
        return min(found, key=lambda record: record.url != url, default=None)

    def by_content_hash(self, content_hash: str) -> DocumentRecord | None:
        where = "WHERE content_hash = :hash ORDER BY first_seen, document_id LIMIT 1"
        return next(iter(self._records(where, hash=content_hash)), None)

    def with_text(self, content_hash: str) -> list[DocumentRecord]:
        return self._records("WHERE content_hash = :hash ORDER BY first_seen, document_id", hash=content_hash)

    def urls(self) -> Iterator[tuple[str, str]]:
        query = f"SELECT document_id, url FROM documents WHERE document_id > :last ORDER BY 1 LIMIT {_MANY}"  # noqa: S608 - no value in it
        last = ""
        while page := self.rows(query, last=last):
            yield from map(tuple, page)
            last = page[-1][0]

    def aliases(self) -> Iterator[tuple[str, str]]:
        query = (
            f"SELECT url_key, document_id, url FROM aliases WHERE url_key > :last ORDER BY 1 LIMIT {_MANY}"  # noqa: S608 - no value in it
        )
        last = ""
        while page := self.rows(query, last=last):
            yield from ((document_id, url) for _, document_id, url in page)
            last = page[-1][0]

    def documents_of_chunks(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        query = (
            "SELECT chunk_id, document_id FROM chunks WHERE chunk_id = ANY(:ids::text[]) "
            "ORDER BY document_id DESC"
        )
        return dict(self.rows(query, ids=list(chunk_ids)))

    def documents(self, site: str | None = None, *, after: str = "") -> Iterator[DocumentRecord]:
        last = after
        where = f"{_OF_SITE} AND document_id > :last ORDER BY document_id LIMIT {_PAGE}"
        while page := self._records(where, site=site, last=last):
            yield from page
            last = page[-1].document_id

    def ids_by_url(self) -> list[str]:
        return [each for (each,) in self.rows("SELECT document_id FROM documents ORDER BY url")]

    def sites(self) -> list[str]:
        return [site for (site,) in self.rows("SELECT DISTINCT site FROM documents ORDER BY site")]

    def site_totals(self) -> list[SiteTotals]:
        return [SiteTotals(*row) for row in self.rows(_SITE_TOTALS)]

    def count(self, site: str | None = None) -> int:
        return int(self.rows(f"SELECT count(*) FROM documents {_OF_SITE}", site=site)[0][0])  # noqa: S608 - no value in it

    def near_hashes(self, site: str | None = None) -> Iterator[NearHash]:
        query = f"SELECT document_id, near_hash FROM documents {_OF_SITE} AND near_hash <> ''"  # noqa: S608 - no value in it
        return (NearHash(*row) for row in self.rows(query, site=site))

    def due_dates(self, site: str) -> Iterator[DueDate]:
        last = ""
        while page := self.rows(_DUE_DATES, site=site, last=last):
            last = page[-1][0]
            yield from (DueDate(*row) for row in page)
            due_of = {document_id: due_at for document_id, _, due_at in page}
            query = "SELECT url, document_id FROM aliases WHERE document_id = ANY(:ids::text[])"
            for url, document_id in self.rows(query, ids=list(due_of)):
                yield DueDate(document_id, url, due_of[document_id], is_alias=True)

    def chunks(self, document_id: str) -> list[SemanticChunk]:
        rows = self.rows("SELECT records FROM texts WHERE document_id = :id", id=document_id)
        return unpack_chunks(rows[0][0]) if rows else []

    def has_markdown(self, record: DocumentRecord) -> bool:
        return bool(self._of_markdown("1", record))

    def document(self, record: DocumentRecord) -> Document | None:
        rows = self._of_markdown("record", record)
        return document_of(record, rows[0][0], self.chunks(record.document_id)) if rows else None

    def shared_blocks(self, site: str) -> dict[str, str]:
        rows = self.rows("SELECT block, keeper FROM shared_blocks WHERE site = :site", site=site)
        return dict(rows)

    def was_reached(self, document_id: str, crawl: str) -> bool:
        query = "SELECT 1 FROM sightings WHERE document_id = :id AND crawl = :crawl"
        return bool(self.rows(query, id=document_id, crawl=crawl))

    def is_only_recovered(self, document_id: str) -> bool:
        rows = self.rows("SELECT crawl FROM sightings WHERE document_id = :id", id=document_id)
        return rows == [(RECOVERED,)]

    def kept_out(self) -> list[KeptOutEntry]:
        query = "SELECT pattern, kind, text_hash, since FROM kept_out ORDER BY pattern, kind"
        return [KeptOutEntry(*row) for row in self.rows(query)]

    def kept_out_version(self) -> tuple[int, int]:
        ((count, last),) = self.rows("SELECT count(*), coalesce(max(number), 0) FROM kept_out")
        return int(count), int(last)

    def taken_out(self) -> list[TakenOut]:
        query = "SELECT document_id, url, site, chunks, last_seen FROM taken_out ORDER BY url"
        return [TakenOut(*row) for row in self.rows(query)]

    def open_removals(self) -> dict[int, str]:
        return dict(self.rows("SELECT number, request FROM removals ORDER BY number"))

    def _of_markdown(self, column: str, record: DocumentRecord) -> list[tuple[Any, ...]]:
        query = f"SELECT {column} FROM markdown WHERE document_id = :id AND content_hash = :hash"  # noqa: S608 - a name of our own
        return self.rows(query, id=record.document_id, hash=record.content_hash)

    def _records(self, where: str, **values: Any) -> list[DocumentRecord]:
        return [_record(row) for row in self.rows(_RECORD + where, **values)]

    def rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement; for what belongs to the catalogue."""
        with self._errors("read"):
            return self._session.rows(query, **{name: storable(value) for name, value in values.items()})

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        try:
            yield
        except PostgresError as error:
            raise CatalogueError(f"Cannot {doing} the catalogue: {error}") from error


@cache
def migrations() -> tuple[Migration, ...]:
    """The steps of this schema."""
    return read_migrations("ragcrawler.catalogue.postgres.migrations")


def url_key(url: str) -> str:
    """A URL in short; two with the same one are the same."""
    return sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def storable(value: Any) -> Any:
    """A value or a list of them as PostgreSQL takes it: its texts have no NUL, and no half characters."""
    if isinstance(value, list):
        return [storable(each) for each in value]
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    return value


def _record(row: tuple[Any, ...]) -> DocumentRecord:
    *values, chunks, aliases = row
    return DocumentRecord(
        **dict(zip(COLUMNS, values, strict=True)),
        chunks=tuple(ChunkRecord(*chunk) for chunk in json.loads(chunks or "[]")),
        aliases=tuple(json.loads(aliases or "[]")),
    )
