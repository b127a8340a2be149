"""Summaries of passages by a language model, stored beside them (specification 003)."""

from ragcrawler.run.summaries.collection import Allowance, CollectionSums, summarise_collection
from ragcrawler.run.summaries.open import open_summarizer
from ragcrawler.run.summaries.stored_documents import Marks, StoredDocuments
from ragcrawler.run.summaries.summarizer import Summarised, Summarizer, SummaryEmbedding

__all__ = [
    "Allowance",
    "CollectionSums",
    "Marks",
    "StoredDocuments",
    "Summarised",
    "Summarizer",
    "SummaryEmbedding",
    "open_summarizer",
    "summarise_collection",
]
