"""Summaries of passages by a language model, stored beside them (specification 003)."""

from ragcrawler.run.summaries.open import open_summarizer
from ragcrawler.run.summaries.summarizer import Summarised, Summarizer, SummaryEmbedding

__all__ = ["Summarised", "Summarizer", "SummaryEmbedding", "open_summarizer"]
