"""The vocabulary: the values that travel through the pipelines, one type at each border.

Everything here is frozen and built from the standard library alone, so that every room of the program may
import it. A stage takes one of these values and returns the next one.
"""

from ragcrawler.items.chunk import KEPT_INSIDE, ChunkExtra, ChunkType, ListingKind, SemanticChunk
from ragcrawler.items.document import Document, DocumentState
from ragcrawler.items.found_url import FoundUrl
from ragcrawler.items.label import LABEL_CHARACTERS, bounded_label, split_label
from ragcrawler.items.metadata import Anchor, Metadata
from ragcrawler.items.page import Page, PageClaims, PageFile
from ragcrawler.items.records import (
    chunk_from_record,
    chunk_record,
    chunk_records,
    extra_from_record,
    extra_record,
)
from ragcrawler.items.vectors import DenseWithTokens, SparseVector, Vectors, tokens_of

__all__ = [
    "KEPT_INSIDE",
    "LABEL_CHARACTERS",
    "Anchor",
    "ChunkExtra",
    "ChunkType",
    "DenseWithTokens",
    "Document",
    "DocumentState",
    "FoundUrl",
    "ListingKind",
    "Metadata",
    "Page",
    "PageClaims",
    "PageFile",
    "SemanticChunk",
    "SparseVector",
    "Vectors",
    "bounded_label",
    "chunk_from_record",
    "chunk_record",
    "chunk_records",
    "extra_from_record",
    "extra_record",
    "split_label",
    "tokens_of",
]
