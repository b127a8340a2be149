"""The crawl's own record of documents: what was read, when, and which chunks it became."""

from ragcrawler.catalogue.documents import DocumentCatalogue
from ragcrawler.catalogue.errors import CatalogueError
from ragcrawler.catalogue.hashes import page_hash
from ragcrawler.catalogue.near_hash import near_hash
from ragcrawler.catalogue.near_index import NearIndex
from ragcrawler.catalogue.record import ChunkRecord, DocumentRecord, NearHash
from ragcrawler.catalogue.revisit import DueDate, Revisit, RevisitSchedule
from ragcrawler.catalogue.site import site_of

__all__ = [
    "CatalogueError",
    "ChunkRecord",
    "DocumentCatalogue",
    "DocumentRecord",
    "DueDate",
    "NearHash",
    "NearIndex",
    "Revisit",
    "RevisitSchedule",
    "near_hash",
    "page_hash",
    "site_of",
]
