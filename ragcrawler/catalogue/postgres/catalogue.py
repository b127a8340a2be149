"""Records of documents on a PostgreSQL server."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ragcrawler.catalogue.kept_out import KeptOutEntry, ListChange, TakenOut, adding, allowing
from ragcrawler.catalogue.packing import pack_chunks, pack_markdown
from ragcrawler.catalogue.postgres.claims import PostgresClaims
from ragcrawler.catalogue.postgres.reader import COLUMNS, PostgresReader, url_key
from ragcrawler.catalogue.protocol import RECOVERED, DocumentCatalogue
from ragcrawler.catalogue.record import NO_WRITER, DocumentRecord, Refused, WriterLease
from ragcrawler.catalogue.revisit import Revisit
from ragcrawler.items import Document, SemanticChunk

Result = TypeVar("Result")

TABLES = ("chunks", "texts", "markdown", "aliases", "sightings", "documents")
_TYPES = {
    "is_unfinished": "boolean",
    "missing_runs": "integer",
    "interval_seconds": "double precision",
    "due_at": "double precision",
    "lease": "bigint",
}
_NAMES = ", ".join(COLUMNS)
_LISTS = ", ".join(f":{name}::{_TYPES.get(name, 'text')}[]" for name in COLUMNS)
# What a later lease of the crawl has stays; so does what the lease of a crawl would write that has ended.
_NEW = (
    f"SELECT * FROM unnest({_LISTS}) AS new({_NAMES}) "  # noqa: S608 - names of our own fields
    "WHERE NOT EXISTS (SELECT 1 FROM ended_crawls WHERE ended_crawls.crawl = new.crawl)"
)
_IS_LATER = "documents.crawl <> '' AND documents.crawl = excluded.crawl AND documents.lease > excluded.lease"
_IS_OWN = "documents.crawl = excluded.crawl AND documents.lease = excluded.lease"
_UNREAD = "is_unfinished = true, page_hash = '', etag = '', last_modified = ''"
_AS_UNREAD: Mapping[str, Any] = {"is_unfinished": True, "page_hash": "", "etag": "", "last_modified": ""}
_MARK = (
    f"INSERT INTO documents ({_NAMES}) {_NEW} ON CONFLICT (document_id) DO UPDATE SET {_UNREAD}, "
    "crawl = excluded.crawl, lease = excluded.lease, is_disturbed = false "
    f"WHERE NOT ({_IS_LATER}) RETURNING document_id"
)
_PUT = (
    f"INSERT INTO documents ({_NAMES}) {_NEW} ON CONFLICT (document_id) DO UPDATE SET "
    f"{', '.join(f'{name} = excluded.{name}' for name in COLUMNS)}, is_disturbed = false "
    f"WHERE NOT ({_IS_LATER}) AND NOT (documents.is_disturbed AND {_IS_OWN}) RETURNING document_id"
)
_OF_WRITERS = "FROM unnest(:ids::text[], :crawls::text[], :leases::bigint[]) AS own(id, crawl, lease)"


class PostgresCatalogue(PostgresReader, DocumentCatalogue):
    """The record of a collection that several machines write.

    Two that write the same document wait for each other: the last one's record stands, whole.
    """

    def put(
        self,
        records: Sequence[DocumentRecord],
        texts: Mapping[str, Sequence[SemanticChunk]] | None = None,
        documents: Sequence[Document] = (),
    ) -> Refused:
        last = sorted({record.document_id: record for record in records}.values(), key=_id)
        packed = [(each, pack_chunks(chunks)) for each, chunks in (texts or {}).items()]
        packed_documents = {each.id: (each.id, each.content_hash, pack_markdown(each)) for each in documents}

        def write() -> Refused:
            put = self._insert(_PUT, last)
            blobs = [each for each in packed if each[0] in put]
            markdown = {each: values for each, values in packed_documents.items() if each in put}
            self._put_chunks([record for record in last if record.document_id in put])
            self._put_aliases([record for record in records if record.document_id in put])
            self.forget_taken_out([record.document_id for record in last if record.document_id in put])
            self.rows(
                "INSERT INTO texts SELECT * FROM unnest(:id::text[], :records::bytea[]) "
                "ON CONFLICT (document_id) DO UPDATE SET records = excluded.records",
                **_columns(("id", "records"), blobs),
            )
            self.rows(
                "INSERT INTO markdown SELECT * FROM unnest(:id::text[], :hash::text[], :record::bytea[]) "
                "ON CONFLICT (document_id) DO UPDATE SET content_hash = excluded.content_hash, "
                "record = excluded.record",
                **_columns(("id", "hash", "record"), markdown.values()),
            )
            return self._refused([record for record in last if record.document_id not in put])

        return self.in_transaction(write)

    def mark_writing(self, records: Sequence[DocumentRecord]) -> frozenset[str]:
        last = sorted({record.document_id: record for record in records}.values(), key=_id)
        started = [replace(record, content_hash="", near_hash="", **_AS_UNREAD) for record in last]
        if not started:
            return frozenset()
        return frozenset(record.document_id for record in started) - self._insert(_MARK, started)

    def finish(self, records: Sequence[DocumentRecord]) -> frozenset[str]:
        ids = [record.document_id for record in records]

        def write() -> frozenset[str]:
            done = self.rows(
                f"UPDATE documents SET is_unfinished = false {_OF_WRITERS} WHERE document_id = own.id "  # noqa: S608
                "AND documents.crawl = own.crawl AND documents.lease = own.lease AND NOT is_disturbed "
                "RETURNING document_id",
                ids=ids,
                crawls=[record.crawl for record in records],
                leases=[record.lease for record in records],
            )
            begun = frozenset(ids) - {document_id for (document_id,) in done}
            self._disturb(begun)
            return begun

        return self.in_transaction(write) if records else frozenset()

    def mark_all_unread(self) -> None:
        self.in_transaction(lambda: self.rows(f"UPDATE documents SET {_UNREAD}"))  # noqa: S608 - no value in it

    def mark_seen(
        self,
        document_id: str,
        run: str,
        revisit: Revisit,
        *,
        etag: str = "",
        last_modified: str = "",
        writer: WriterLease = NO_WRITER,
    ) -> bool:
        seen = self.rows(
            "UPDATE documents SET last_seen = :run, missing_runs = 0, missing_reason = '', etag = :etag, "
            "last_modified = :modified, interval_seconds = :interval, due_at = :due, "
            "crawl = CASE WHEN :crawl::text = '' THEN crawl ELSE :crawl END, "
            "lease = CASE WHEN :crawl::text = '' THEN lease ELSE :lease::bigint END "
            "WHERE document_id = :id AND (:crawl::text = '' OR NOT is_unfinished) "
            "AND NOT (crawl <> '' AND crawl = :crawl AND lease > :lease::bigint) "
            "AND NOT EXISTS (SELECT 1 FROM ended_crawls WHERE ended_crawls.crawl = :crawl) RETURNING 1",
            crawl=writer.crawl,
            lease=writer.number,
            id=document_id,
            run=run,
            etag=etag,
            modified=last_modified,
            interval=revisit.interval_seconds,
            due=revisit.due_at,
        )
        return bool(seen)

    def mark_reachable(self, document_ids: Sequence[str], crawl: str) -> None:
        self.rows(
            "INSERT INTO sightings SELECT unnest(:ids::text[]), :crawl::text ON CONFLICT DO NOTHING",
            ids=list(document_ids),
            crawl=crawl,
        )

    def mark_recovered(self, document_id: str) -> None:
        self.mark_reachable([document_id], RECOVERED)

    def mark_missing(self, document_ids: Sequence[str], reason: str) -> None:
        # In a transaction: it counts, so it must not happen twice where an answer is lost.
        self.in_transaction(
            lambda: self.rows(
                "UPDATE documents SET missing_runs = missing_runs + 1, missing_reason = :reason "
                "WHERE document_id = ANY(:ids::text[])",
                ids=list(document_ids),
                reason=reason,
            )
        )

    def remove(self, document_ids: Sequence[str]) -> None:
        def write() -> None:
            for table in TABLES:
                self.rows(
                    f"DELETE FROM {table} WHERE document_id = ANY(:ids::text[])",  # noqa: S608 - a name of our own
                    ids=list(document_ids),
                )

        self.in_transaction(write)

    def take_out(self, records: Sequence[DocumentRecord]) -> None:
        ids = [record.document_id for record in records]

        def write() -> None:
            self.remember_taken_out([TakenOut.of(record) for record in records])
            self.remove(ids)
            # Nobody keeps them now: the next crawl counts anew.
            self.rows("UPDATE shared_blocks SET keeper = '' WHERE keeper = ANY(:ids::text[])", ids=ids)
            # Else a crawl that goes on would leave out other pages for the sake of these.
            self.rows("DELETE FROM text_holders WHERE document_id = ANY(:ids::text[])", ids=ids)
            self.rows("DELETE FROM text_readings WHERE document_id = ANY(:ids::text[])", ids=ids)

        self.in_transaction(write)

    def remember_taken_out(self, documents: Sequence[TakenOut]) -> None:
        self.rows(
            "INSERT INTO taken_out SELECT * FROM unnest(:id::text[], :url::text[], :site::text[], "
            ":chunks::integer[], :seen::text[]) ON CONFLICT DO NOTHING",
            **_columns(("id", "url", "site", "chunks", "seen"), documents),
        )

    def forget_taken_out(self, document_ids: Sequence[str]) -> None:
        self.rows("DELETE FROM taken_out WHERE document_id = ANY(:ids::text[])", ids=list(document_ids))

    def keep_out(self, entries: Sequence[KeptOutEntry]) -> None:
        self.in_transaction(lambda: self._change_list(lambda known: adding(known, entries)))

    def allow(self, patterns: Sequence[str]) -> int:
        change = self.in_transaction(lambda: self._change_list(lambda known: allowing(known, patterns)))
        return len(change.gone) - len(change.new)

    def begin_removal(self, request: str, entries: Sequence[KeptOutEntry] = ()) -> int:
        def write() -> int:
            self.keep_out(entries)
            query = "INSERT INTO removals (request) VALUES (:request) RETURNING number"
            ((number,),) = self.rows(query, request=request)
            return int(number)

        return self.in_transaction(write)

    def end_removal(self, number: int) -> None:
        self.rows("DELETE FROM removals WHERE number = :number", number=number)

    def remove_aliases(self, urls: Sequence[str]) -> None:
        self.rows("DELETE FROM aliases WHERE url_key = ANY(:keys::text[])", keys=list(map(url_key, urls)))

    def clear(self) -> None:
        def write() -> None:
            for table in TABLES:
                self.rows(f"DELETE FROM {table}")  # noqa: S608 - a name of our own
            self.rows("DELETE FROM shared_blocks")

        self.in_transaction(write)

    def put_shared_blocks(self, site: str, blocks: Mapping[str, str]) -> None:
        def write() -> None:
            self.rows("DELETE FROM shared_blocks WHERE site = :site", site=site)
            self.rows(
                "INSERT INTO shared_blocks "
                "SELECT :site::text, * FROM unnest(:block::text[], :keeper::text[])",
                site=site,
                **_columns(("block", "keeper"), blocks.items()),
            )

        self.in_transaction(write)

    def begin_crawl(self, crawl: str) -> None:
        self.rows("DELETE FROM ended_crawls WHERE crawl = :crawl", crawl=crawl)

    def end_crawl(self, crawl: str) -> None:
        self.rows("INSERT INTO ended_crawls VALUES (:crawl) ON CONFLICT DO NOTHING", crawl=crawl)

    def text_claims(self, crawl: str, similarity: float) -> PostgresClaims:
        return PostgresClaims(self, crawl, similarity)

    def in_transaction(self, work: Callable[[], Result]) -> Result:
        """The result of a function whose statements happen together or not at all; it may be repeated."""
        with self._errors("write to"):
            return self._session.transaction(work)

    def _change_list(self, decide: Callable[[list[KeptOutEntry]], ListChange]) -> ListChange:
        self.rows("LOCK TABLE kept_out IN SHARE ROW EXCLUSIVE MODE")
        change = decide(self.kept_out())
        self.rows(
            "DELETE FROM kept_out WHERE key = ANY(:keys::text[])",
            keys=[url_key(f"{each.kind} {each.pattern}") for each in change.gone],
        )
        rows = (
            (url_key(f"{each.kind} {each.pattern}"), each.pattern, each.kind, each.text_hash, each.since)
            for each in change.new
        )
        self.rows(
            "INSERT INTO kept_out (key, pattern, kind, text_hash, since) SELECT * FROM "
            "unnest(:key::text[], :pattern::text[], :kind::text[], :text_hash::text[], :since::text[])",
            **_columns(("key", "pattern", "kind", "text_hash", "since"), rows),
        )
        return change

    def _insert(self, statement: str, records: Sequence[DocumentRecord]) -> set[str]:
        """Write records where they may be; the ids of those that are."""
        columns = {name: [getattr(each, name) for each in records] for name in COLUMNS}
        return {document_id for (document_id,) in self.rows(statement, **columns)}

    def _refused(self, records: Sequence[DocumentRecord]) -> Refused:
        if not records:
            return Refused()
        disturbed = self.rows(
            f"SELECT id {_OF_WRITERS} JOIN documents ON document_id = id "
            "WHERE documents.crawl = own.crawl AND documents.lease = own.lease AND is_disturbed",
            ids=[record.document_id for record in records],
            crawls=[record.crawl for record in records],
            leases=[record.lease for record in records],
        )
        again = frozenset(document_id for (document_id,) in disturbed)
        lost = frozenset(record.document_id for record in records) - again
        self._disturb(lost)
        return Refused(lost, again)

    def _disturb(self, document_ids: Iterable[str]) -> None:
        """Tell whoever is writing these now that another one wrote to the store."""
        if ids := list(document_ids):
            self.rows(
                "UPDATE documents SET is_disturbed = true "
                "WHERE document_id = ANY(:ids::text[]) AND is_unfinished",
                ids=ids,
            )

    def _put_chunks(self, records: Sequence[DocumentRecord]) -> None:
        ids = [record.document_id for record in records]
        self.rows("DELETE FROM chunks WHERE document_id = ANY(:ids::text[])", ids=ids)
        rows = [
            (record.document_id, position, *chunk)
            for record in records
            for position, chunk in enumerate(record.chunks)
        ]
        self.rows(
            "INSERT INTO chunks SELECT * FROM unnest(:document::text[], :position::integer[], :id::text[], "
            ":embedded::text[], :payload::text[], :checksum::text[])",
            **_columns(("document", "position", "id", "embedded", "payload", "checksum"), rows),
        )

    def _put_aliases(self, records: Sequence[DocumentRecord]) -> None:
        """Enter aliases as if the records came one after another."""
        holder: dict[str, str] = {}
        for record in records:
            holder[record.url] = ""  # what is a document by itself is no other name of one
            holder |= dict.fromkeys(record.aliases, record.document_id)
        rows = sorted((url_key(url), url, document_id) for url, document_id in holder.items())
        self.rows(
            "DELETE FROM aliases WHERE url_key = ANY(:keys::text[])",
            keys=[key for key, _, document_id in rows if not document_id],
        )
        self.rows(
            "INSERT INTO aliases SELECT * FROM unnest(:key::text[], :url::text[], :id::text[]) "
            "ON CONFLICT (url_key) DO UPDATE SET document_id = excluded.document_id",
            **_columns(("key", "url", "id"), (row for row in rows if row[2])),
        )


def _columns(names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> dict[str, list[Any]]:
    listed = list(rows)
    return {name: [row[at] for row in listed] for at, name in enumerate(names)}


def _id(record: DocumentRecord) -> str:
    return record.document_id
