"""The crawl's own record of documents: what was read, when, and which chunks it became."""

from ragcrawler.catalogue.errors import CatalogueError
from ragcrawler.catalogue.hashes import page_hash
from ragcrawler.catalogue.kept_out import KeptOutEntry, TakenOut
from ragcrawler.catalogue.near_hash import near_hash
from ragcrawler.catalogue.near_index import NearIndex
from ragcrawler.catalogue.protocol import CatalogueReader, DocumentCatalogue
from ragcrawler.catalogue.record import (
    NO_WRITER,
    ChunkRecord,
    DocumentRecord,
    NearHash,
    Refused,
    SiteTotals,
    WriterLease,
)
from ragcrawler.catalogue.revisit import DueDate, Revisit, RevisitSchedule
from ragcrawler.catalogue.site import site_of
from ragcrawler.catalogue.sqlite import SqliteCatalogue
from ragcrawler.catalogue.text_claims import TextClaims, TextHolder, TextMatches

__all__ = [
    "NO_WRITER",
    "CatalogueError",
    "CatalogueReader",
    "ChunkRecord",
    "DocumentCatalogue",
    "DocumentRecord",
    "DueDate",
    "KeptOutEntry",
    "NearHash",
    "NearIndex",
    "PostgresCatalogue",
    "Refused",
    "Revisit",
    "RevisitSchedule",
    "SiteTotals",
    "SqliteCatalogue",
    "TakenOut",
    "TextClaims",
    "TextHolder",
    "TextMatches",
    "WriterLease",
    "near_hash",
    "page_hash",
    "site_of",
]
