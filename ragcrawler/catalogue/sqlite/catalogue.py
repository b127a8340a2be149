"""Records of documents in one SQLite file."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ragcrawler.catalogue.errors import catalogue_errors
from ragcrawler.catalogue.kept_out import KeptOutEntry, ListChange, TakenOut, adding, allowing
from ragcrawler.catalogue.memory_claims import MemoryClaims
from ragcrawler.catalogue.packing import pack_chunks, pack_markdown
from ragcrawler.catalogue.protocol import RECOVERED, DocumentCatalogue
from ragcrawler.catalogue.record import NO_WRITER, DocumentRecord, Refused, WriterLease
from ragcrawler.catalogue.revisit import Revisit
from ragcrawler.catalogue.sqlite.reader import COLUMNS, NAMES, SqliteReader
from ragcrawler.items import Document, SemanticChunk

_TABLES = ("chunks", "texts", "markdown", "links", "aliases", "sightings", "documents")
_INSERT = f"INSERT OR REPLACE INTO documents ({NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - names of our own fields


class SqliteCatalogue(SqliteReader, DocumentCatalogue):
    """The record of a collection that one machine writes.

    Args:
        path: its file, made where it is not there; None for one in memory.

    Raises:
        CatalogueError: the file cannot be used; every method raises it where the disk fails.
    """

    def put(
        self,
        records: Sequence[DocumentRecord],
        texts: Mapping[str, Sequence[SemanticChunk]] | None = None,
        documents: Sequence[Document] = (),
    ) -> Refused:
        with self.transaction() as database:
            refused = self._refused(records)
            records = [each for each in records if each.document_id not in refused.all]
            written = {record.document_id for record in records}
            for record in records:
                database.execute(_INSERT, self._values(record))
                database.execute("DELETE FROM chunks WHERE document_id = ?", [record.document_id])
                database.execute("DELETE FROM taken_out WHERE document_id = ?", [record.document_id])
                database.executemany(
                    "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
                    [(record.document_id, position, *known) for position, known in enumerate(record.chunks)],
                )
                # What is a document by itself is no other name of one.
                database.execute("DELETE FROM aliases WHERE url = ?", [record.url])
                self._add_aliases(record.document_id, record.aliases)
            database.executemany(
                "INSERT OR REPLACE INTO texts VALUES (?, ?)",
                [(each, pack_chunks(chunks)) for each, chunks in (texts or {}).items() if each in written],
            )
            database.executemany(
                "INSERT OR REPLACE INTO markdown VALUES (?, ?, ?)",
                [
                    (each.id, each.content_hash, pack_markdown(each))
                    for each in documents
                    if each.id in written
                ],
            )
        return refused

    def mark_writing(self, records: Sequence[DocumentRecord]) -> frozenset[str]:
        with self.transaction(is_durable=True) as database:
            lost = self._lost(records)
            started = [
                replace(record, page_hash="", content_hash="", near_hash="", etag="", last_modified="")
                for record in records
                if record.document_id not in lost
            ]
            database.executemany(
                _INSERT.replace("OR REPLACE", "OR IGNORE"), [self._values(record) for record in started]
            )
            database.executemany(
                "UPDATE documents SET is_unfinished = 1, page_hash = '', etag = '', last_modified = '', "
                "crawl = ?, lease = ?, is_disturbed = 0 WHERE document_id = ?",
                [(record.crawl, record.lease, record.document_id) for record in started],
            )
        return lost

    def finish(self, records: Sequence[DocumentRecord]) -> frozenset[str]:
        with self.transaction() as database:
            begun = frozenset(
                record.document_id
                for record in records
                if not database.execute(
                    "UPDATE documents SET is_unfinished = 0 "
                    "WHERE document_id = ? AND crawl = ? AND lease = ? AND NOT is_disturbed",
                    [record.document_id, record.crawl, record.lease],
                ).rowcount
            )
            self._disturb(begun)
        return begun

    def mark_all_unread(self) -> None:
        with self.transaction(is_durable=True) as database:
            database.execute(
                "UPDATE documents SET is_unfinished = 1, page_hash = '', etag = '', last_modified = ''"
            )

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
        with self.transaction() as database:
            if writer.crawl and self._is_ended(writer.crawl):
                return False
            seen = database.execute(
                "UPDATE documents SET last_seen = :run, missing_runs = 0, missing_reason = '', etag = :etag, "
                "last_modified = :modified, interval_seconds = :interval, due_at = :due, "
                "crawl = iif(:crawl = '', crawl, :crawl), lease = iif(:crawl = '', lease, :lease) "
                "WHERE document_id = :id AND (:crawl = '' OR NOT is_unfinished) "
                "AND NOT (crawl = :crawl AND lease > :lease)",
                {
                    "id": document_id,
                    "run": run,
                    "etag": etag,
                    "modified": last_modified,
                    "interval": revisit.interval_seconds,
                    "due": revisit.due_at,
                    "crawl": writer.crawl,
                    "lease": writer.number,
                },
            )
            return seen.rowcount > 0

    def mark_reachable(self, document_ids: Sequence[str], crawl: str) -> None:
        with self.transaction() as database:
            database.executemany(
                "INSERT OR IGNORE INTO sightings VALUES (?, ?)", [(each, crawl) for each in document_ids]
            )

    def mark_recovered(self, document_id: str) -> None:
        self.mark_reachable([document_id], RECOVERED)

    def mark_missing(self, document_ids: Sequence[str], reason: str) -> None:
        with self.transaction() as database:
            database.executemany(
                "UPDATE documents SET missing_runs = missing_runs + 1, missing_reason = ? "
                "WHERE document_id = ?",
                [(reason, each) for each in document_ids],
            )

    def remove(self, document_ids: Sequence[str]) -> None:
        with self.transaction() as database:
            for table in _TABLES:
                database.executemany(
                    f"DELETE FROM {table} WHERE document_id = ?",  # noqa: S608 - a name of our own
                    [(each,) for each in document_ids],
                )

    def take_out(self, records: Sequence[DocumentRecord]) -> None:
        ids = [(record.document_id,) for record in records]
        with self.transaction(is_durable=True) as database:
            self.remember_taken_out([TakenOut.of(record) for record in records])
            self.remove([record.document_id for record in records])
            # Nobody keeps them now: the next crawl counts anew.
            database.executemany("UPDATE shared_blocks SET keeper = '' WHERE keeper = ?", ids)

    def remember_taken_out(self, documents: Sequence[TakenOut]) -> None:
        with self.transaction() as database:
            database.executemany("INSERT OR IGNORE INTO taken_out VALUES (?, ?, ?, ?, ?)", documents)

    def forget_taken_out(self, document_ids: Sequence[str]) -> None:
        with self.transaction() as database:
            database.executemany(
                "DELETE FROM taken_out WHERE document_id = ?", [(each,) for each in document_ids]
            )

    def keep_out(self, entries: Sequence[KeptOutEntry]) -> None:
        with self.transaction(is_durable=True):
            self._change_list(adding(self.kept_out(), entries))

    def allow(self, patterns: Sequence[str]) -> int:
        with self.transaction(is_durable=True):
            change = allowing(self.kept_out(), patterns)
            self._change_list(change)
        return len(change.gone) - len(change.new)

    def begin_removal(self, request: str, entries: Sequence[KeptOutEntry] = ()) -> int:
        with self.transaction(is_durable=True) as database:
            self.keep_out(entries)
            number = database.execute("INSERT INTO removals (request) VALUES (?)", [request]).lastrowid
        assert number is not None  # noqa: S101 - a row was inserted
        return number

    def end_removal(self, number: int) -> None:
        with self.transaction() as database:
            database.execute("DELETE FROM removals WHERE number = ?", [number])

    def remove_aliases(self, urls: Sequence[str]) -> None:
        with self.transaction() as database:
            database.executemany("DELETE FROM aliases WHERE url = ?", [(url,) for url in urls])

    def clear(self) -> None:
        with self.transaction() as database:
            for table in _TABLES:
                database.execute(f"DELETE FROM {table}")  # noqa: S608 - a name of our own
            database.execute("DELETE FROM shared_blocks")

    def put_shared_blocks(self, site: str, blocks: Mapping[str, str]) -> None:
        with self.transaction() as database:
            database.execute("DELETE FROM shared_blocks WHERE site = ?", [site])
            database.executemany(
                "INSERT INTO shared_blocks VALUES (?, ?, ?)", [(site, *each) for each in blocks.items()]
            )

    def begin_crawl(self, crawl: str) -> None:
        with self.transaction() as database:
            database.execute("DELETE FROM ended_crawls WHERE crawl = ?", [crawl])

    def end_crawl(self, crawl: str) -> None:
        with self.transaction() as database:
            database.execute("INSERT OR IGNORE INTO ended_crawls VALUES (?)", [crawl])

    def text_claims(self, crawl: str, similarity: float) -> MemoryClaims:  # noqa: ARG002 - one process, one crawl
        return MemoryClaims(self, similarity)

    @contextmanager
    def transaction(self, *, is_durable: bool = False) -> Iterator[sqlite3.Connection]:
        """All writes inside happen, or none; it may stand in another one.

        Args:
            is_durable: a power cut cannot take them back, nor what was written before.
        """
        with catalogue_errors("write to", self.place):
            if self._database.in_transaction:
                yield self._database
                return
            self._database.execute(f"PRAGMA synchronous = {'FULL' if is_durable else 'NORMAL'}")
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._database.in_transaction:  # a full disk ends it by itself
            self._database.execute("ROLLBACK")

    def _refused(self, records: Sequence[DocumentRecord]) -> Refused:
        lost = self._lost(records)
        self._disturb(lost)
        disturbed = frozenset(
            record.document_id
            for record in records
            if self._rows(
                "SELECT 1 FROM documents WHERE document_id = ? AND crawl = ? AND lease = ? AND is_disturbed",
                *(record.document_id, *record.writer),
            )
        )
        return Refused(lost, disturbed)

    def _lost(self, records: Sequence[DocumentRecord]) -> frozenset[str]:
        """Those that a later lease of their crawl has, or whose crawl has ended."""
        later = "SELECT 1 FROM documents WHERE document_id = ? AND crawl = ? AND lease > ?"
        return frozenset(
            record.document_id
            for record in records
            if record.crawl
            and (self._is_ended(record.crawl) or self._rows(later, record.document_id, *record.writer))
        )

    def _is_ended(self, crawl: str) -> bool:
        return bool(self._rows("SELECT 1 FROM ended_crawls WHERE crawl = ?", crawl))

    def _disturb(self, document_ids: Iterable[str]) -> None:
        """Tell whoever is writing these now that another one wrote to the store."""
        self._database.executemany(
            "UPDATE documents SET is_disturbed = 1 WHERE document_id = ? AND is_unfinished",
            [(each,) for each in document_ids],
        )

    def _change_list(self, change: ListChange) -> None:
        self._database.executemany(
            "DELETE FROM kept_out WHERE pattern = ? AND kind = ?",
            [(each.pattern, each.kind) for each in change.gone],
        )
        self._database.executemany(
            "INSERT INTO kept_out (pattern, kind, text_hash, since) VALUES (?, ?, ?, ?)",
            [(each.pattern, each.kind, each.text_hash, each.since) for each in change.new],
        )

    @staticmethod
    def _values(record: DocumentRecord) -> list[Any]:
        return [getattr(record, name) for name in COLUMNS]

    def _add_aliases(self, document_id: str, urls: Sequence[str]) -> None:
        self._database.executemany(
            "INSERT OR REPLACE INTO aliases VALUES (?, ?)", [(url, document_id) for url in urls]
        )
