"""Summaries of passages by a language model, stored beside them (specification 003)."""

from ragcrawler.run.summaries.batches import BatchSums, SummaryBatches
from ragcrawler.run.summaries.collection import Allowance, CollectionSums, summarise_collection
from ragcrawler.run.summaries.open import open_batches, open_summarizer
from ragcrawler.run.summaries.stored_documents import Marks, StoredDocuments
from ragcrawler.run.summaries.summarizer import Summarised, Summarizer, SummaryEmbedding

__all__ = [
    "Allowance",
    "BatchSums",
    "CollectionSums",
    "Marks",
    "StoredDocuments",
    "Summarised",
    "Summarizer",
    "SummaryBatches",
    "SummaryEmbedding",
    "open_batches",
    "open_summarizer",
    "summarise_collection",
]
