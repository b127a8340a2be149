"""Chunks held against the documents that they were cut from (specification 003)."""

from ragcrawler.maintenance.validation.document_validation import (
    DocumentValidation,
    ValidationSums,
    validate_document,
)
from ragcrawler.maintenance.validation.sources import (
    SourceError,
    collection_documents,
    feed_documents,
    markdown_documents,
)

__all__ = [
    "DocumentValidation",
    "SourceError",
    "ValidationSums",
    "collection_documents",
    "feed_documents",
    "markdown_documents",
    "validate_document",
]
