"""Copy the catalogue of one collection to another, and refresh it after a re-embedding."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ragcrawler.bootstrap.catalogue_file import catalogue_file
from ragcrawler.bootstrap.checksums import with_checksums
from ragcrawler.catalogue import ChunkRecord, DocumentCatalogue, DocumentRecord
from ragcrawler.config.configuration import Configuration
from ragcrawler.stores import ChunkStore


def copy_catalogue(configuration: Configuration, source: str, target: str) -> None:
    """Copy the catalogue of one collection to another, in one transaction.

    Where there is none, or both are the same, the other loses its own: it tells of chunks that are no longer
    there.

    Raises:
        CatalogueError: one of them cannot be used.
    """
    there, here = _file(configuration, source), _file(configuration, target)
    is_there = there != here and there.exists()
    if here.exists() or is_there:
        with DocumentCatalogue(here) as old:
            old.clear()
    if is_there:
        with closing(sqlite3.connect(there)) as original, closing(sqlite3.connect(here)) as copy:
            original.backup(copy)


def refresh_chunk_records(configuration: Configuration, collection: str, store: ChunkStore) -> None:
    """Enter the chunks as the store has them now: with other models their hashes and counts are others.

    Raises:
        CatalogueError: it cannot be used.
        StoreError: the store cannot be read.
    """
    path = _file(configuration, collection)
    if path.exists():
        with DocumentCatalogue(path) as catalogue:
            for record in catalogue.documents():
                _refresh(catalogue, record, store)


def _refresh(catalogue: DocumentCatalogue, record: DocumentRecord, store: ChunkStore) -> None:
    chunks = store.get([known.id for known in record.chunks])
    if len(chunks) == len(record.chunks):
        # Checksums are new in any case: a store may scale vectors once more when they are copied.
        marked = replace(record, chunks=tuple(map(ChunkRecord.of, chunks)))
        catalogue.put(with_checksums(store, [marked]), {record.document_id: chunks})


def _file(configuration: Configuration, collection: str) -> Path:
    return catalogue_file(replace(configuration, store=replace(configuration.store, collection=collection)))
