"""Opens the store of a crawl, and the record of its documents."""

import logging
from collections.abc import Callable
from dataclasses import replace

from ragcrawler.bootstrap.damaged_collection import make_readable
from ragcrawler.catalogue import DocumentCatalogue, SqliteCatalogue
from ragcrawler.catalogue.places import CataloguePlace
from ragcrawler.config.configuration import Configuration
from ragcrawler.run.indexing.wait_for_collection import open_when_free
from ragcrawler.stores import ChunkStore, open_store
from ragcrawler.stores.errors import StoreDamagedError

logger = logging.getLogger(__name__)


def open_crawl_store(
    configuration: Configuration, *, is_running: Callable[[], bool], is_dry: bool
) -> ChunkStore:
    """The store; one that cannot be opened, after a power cut say, is set aside for an empty one."""
    store = replace(configuration.store, claims=not is_dry)
    seconds = configuration.upkeep.collection_wait_seconds
    try:
        return open_when_free(lambda: open_store(store), seconds, is_running)
    except StoreDamagedError:
        if is_dry:
            raise
        logger.warning("%s", make_readable(configuration, needs_texts=False))
        return open_when_free(lambda: open_store(store), seconds, is_running)


def open_crawl_catalogue(
    place: CataloguePlace, store: ChunkStore, *, is_first: bool, is_dry: bool
) -> DocumentCatalogue:
    """The record of the collection; where that is gone or empty, no document of it counts as stored."""
    if is_dry and not place.exists():
        return SqliteCatalogue(None)
    catalogue = place.open()
    # Asked before the store is: what another worker writes in between is in the store before it is finished.
    has_finished = any(not record.is_unfinished for record in catalogue.documents())
    if store.models() and store.count():
        return catalogue
    if is_dry:
        empty = SqliteCatalogue(None)
        empty.keep_out(catalogue.kept_out())
        catalogue.close()
        return empty
    if is_first and has_finished:
        catalogue.mark_all_unread()
        logger.warning(
            "The collection is empty, but %s tells of %d documents. What this crawl does not find of them, "
            "`scrapy verify --repair` brings back from the texts there; to forget them, remove it",
            *(place, catalogue.count()),
        )
    return catalogue
