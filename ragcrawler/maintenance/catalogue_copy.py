"""Copy the catalogue of one collection to another, and refresh it after a re-embedding."""

from dataclasses import replace

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.bootstrap.checksums import with_checksums
from ragcrawler.catalogue import ChunkRecord, DocumentCatalogue, DocumentRecord
from ragcrawler.catalogue.places import CataloguePlace
from ragcrawler.config.configuration import Configuration
from ragcrawler.stores import ChunkStore


def copy_catalogue(configuration: Configuration, source: str, target: str) -> None:
    """Copy the catalogue of one collection to another, in one transaction.

    Where there is none, or both are the same, the other loses its own: it tells of chunks that are no longer
    there.

    Raises:
        CatalogueError: one of them cannot be used.
    """
    there, here = _place(configuration, source), _place(configuration, target)
    if there != here and there.exists():
        here.copy_from(there)
    elif here.exists():
        with here.open() as old:
            old.clear()


def refresh_chunk_records(configuration: Configuration, collection: str, store: ChunkStore) -> None:
    """Enter the chunks as the store has them now: with other models their hashes and counts are others.

    Raises:
        CatalogueError: it cannot be used.
        StoreError: the store cannot be read.
    """
    place = _place(configuration, collection)
    if place.exists():
        with place.open() as catalogue:
            for record in catalogue.documents():
                _refresh(catalogue, record, store)


def _refresh(catalogue: DocumentCatalogue, record: DocumentRecord, store: ChunkStore) -> None:
    chunks = store.get([known.id for known in record.chunks])
    if len(chunks) == len(record.chunks):
        # Checksums are new in any case: a store may scale vectors once more when they are copied.
        marked = replace(record, chunks=tuple(map(ChunkRecord.of, chunks)))
        catalogue.put(with_checksums(store, [marked]), {record.document_id: chunks})


def _place(configuration: Configuration, collection: str) -> CataloguePlace:
    return catalogue_place(replace(configuration, store=replace(configuration.store, collection=collection)))
