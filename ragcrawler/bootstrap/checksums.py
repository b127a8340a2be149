"""Checksums of points, taken of what the store gives back right after it was written."""

from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.catalogue import DocumentRecord
from ragcrawler.stores import ChunkStore
from ragcrawler.stores.point_checksum import point_checksum


def with_checksums(store: ChunkStore, records: Sequence[DocumentRecord]) -> list[DocumentRecord]:
    """Records in which every chunk that the store has bears a checksum; those that are known stay.

    Stores scale dense vectors to length 1, each in its own way, so the checksum is of what is read back.

    Raises:
        StoreError: the store cannot be read.
    """
    missing = [known.id for record in records for known in record.chunks if not known.checksum]
    found = {point.id: point_checksum(point) for point in store.points(missing)} if missing else {}
    return [
        replace(
            record,
            chunks=tuple(
                known if known.checksum else known._replace(checksum=found.get(known.id, ""))
                for known in record.chunks
            ),
        )
        for record in records
    ]


def without_checksums(record: DocumentRecord) -> DocumentRecord:
    """The record as it would be before anything is read back."""
    return replace(record, chunks=tuple(known._replace(checksum="") for known in record.chunks))
