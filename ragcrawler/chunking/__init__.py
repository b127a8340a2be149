"""Markdown into chunks that keep its structure."""

from ragcrawler.chunking.chunker import chunk_markdown
from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.chunking.counters import open_counter
from ragcrawler.chunking.similarity import SentenceEmbedder
from ragcrawler.chunking.summaries import with_summary
from ragcrawler.chunking.tiktoken_counter import TiktokenCounter
from ragcrawler.chunking.tokenizer_counter import TokenizerCounter
from ragcrawler.chunking.tokens import TokenCounter
from ragcrawler.chunking.validation import ChunkValidation, validate

__all__ = [
    "ChunkValidation",
    "ChunkingConfig",
    "SentenceEmbedder",
    "TiktokenCounter",
    "TokenCounter",
    "TokenizerCounter",
    "chunk_markdown",
    "open_counter",
    "validate",
    "with_summary",
]
