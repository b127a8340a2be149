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
    missing = [mark.id for record in records for mark in record.chunks if not mark.checksum]
    found = {point.id: point_checksum(point) for point in store.points(missing)} if missing else {}
    return [
        replace(
            record,
            chunks=tuple(
                mark if mark.checksum else mark._replace(checksum=found.get(mark.id, ""))
                for mark in record.chunks
            ),
        )
        for record in records
    ]


def without_checksums(record: DocumentRecord) -> DocumentRecord:
    """The record as it would be before anything is read back."""
    return replace(record, chunks=tuple(mark._replace(checksum="") for mark in record.chunks))
