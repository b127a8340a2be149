"""The walk through the whole collection and the whole catalogue."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord
from ragcrawler.frontier.filters.kept_out import KeptOut
from ragcrawler.maintenance.verification.facts import PointFacts
from ragcrawler.maintenance.verification.faults import Fault, document_faults
from ragcrawler.stores import ChunkStore, CollectionModels

_POINTS_AT_ONCE = 256
_COLUMNS = ", ".join(PointFacts._fields)


@dataclass(frozen=True, slots=True)
class DocumentFaults:
    """A document that is not right.

    Attributes:
        document_id: its id, "" for points that name no document.
        record: what the catalogue says of it, None where it says nothing.
        faults: all of them.
        points: what the collection has of it.
    """

    document_id: str
    record: DocumentRecord | None
    faults: tuple[Fault, ...]
    points: tuple[PointFacts, ...] = ()

    @property
    def is_kept_out(self) -> bool:
        """Whether it should not be there at all."""
        return any(fault.kind == "kept_out_document" for fault in self.faults)

    @property
    def reported_faults(self) -> tuple[Fault, ...]:
        """The faults to report: of an interrupted document, that it was interrupted.

        That some of its chunks are missing, or too many, follows from it.
        """
        interrupted = tuple(fault for fault in self.faults if fault.kind == "unfinished_document")
        return interrupted or self.faults


class IndexScan:
    """Reads every point once, page by page, and then goes through the documents.

    What it remembers of the points lies in a temporary file: memory stays bounded however many there are.

    Attributes:
        points: how many points were read.
        documents: how many documents were looked at.
    """

    def __init__(self, store: ChunkStore, catalogue: DocumentCatalogue, models: CollectionModels) -> None:
        self._store = store
        self._catalogue = catalogue
        self._models = models
        self._kept_out = KeptOut(catalogue.kept_out())
        self.points = 0
        self.documents = 0

    def faulty_documents(self) -> Iterator[DocumentFaults]:
        """The documents with faults; those that are handed out may be mended before the next is asked for.

        Raises:
            StoreError: the store cannot be read.
            CatalogueError: the catalogue cannot be read.
        """
        with closing(sqlite3.connect("", isolation_level=None)) as facts:  # "": a file that goes with it
            facts.execute(f"CREATE TABLE facts (owner, {_COLUMNS})")
            facts.execute("BEGIN")
            facts.executemany(
                f"INSERT INTO facts VALUES ({', '.join('?' * (len(PointFacts._fields) + 1))})",  # noqa: S608 - names of our own fields
                self._rows(),
            )
            facts.execute("COMMIT")
            facts.execute("CREATE INDEX by_owner ON facts (owner)")
            # Asked before the first document is handed out: a repair may remove its record.
            owners = facts.execute("SELECT owner, count(*) FROM facts GROUP BY owner")
            lost = [(owner, count) for owner, count in owners if self._catalogue.get(owner) is None]
            for record in self._catalogue.documents():
                self.documents += 1
                points = _facts(facts, record.document_id)
                if faults := tuple(self._faults(record, points)):
                    yield DocumentFaults(record.document_id, record, faults, points)
            for owner, count in lost:
                self.documents += 1
                fault = Fault(
                    "uncatalogued_document", owner, "", "", f"{count} points that no crawl recorded"
                )
                yield DocumentFaults(owner, None, (fault,), _facts(facts, owner))

    def _rows(self) -> Iterator[tuple[object, ...]]:
        points = iter(self._store.points())
        while batch := list(islice(points, _POINTS_AT_ONCE)):
            self.points += len(batch)
            owners = self._catalogue.documents_of_chunks([point.id for point in batch])
            for point in batch:
                seen = PointFacts.of(point, self._models)
                # A point whose payload names another document still belongs where its id says.
                yield owners.get(point.id) or seen.document_id, *seen

    def _faults(self, record: DocumentRecord, points: tuple[PointFacts, ...]) -> Iterator[Fault]:
        if self._kept_out.covers(record.url) or self._kept_out.covers_text(record.content_hash):
            detail = f"{len(points)} points of what the collection keeps out"
            return iter([Fault("kept_out_document", record.document_id, record.url, "", detail)])
        return document_faults(record, points, lambda: self._catalogue.chunks(record.document_id))


def _facts(facts: sqlite3.Connection, owner: str) -> tuple[PointFacts, ...]:
    query = f"SELECT {_COLUMNS} FROM facts WHERE owner = ?"  # noqa: S608 - names of our own fields
    return tuple(PointFacts(*row) for row in facts.execute(query, [owner]))
