"""Markdown into chunks that keep its structure."""

from ragcrawler.chunking.chunker import chunk_markdown
from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.chunking.tokenizer_counter import TokenizerCounter
from ragcrawler.chunking.tokens import TokenCounter

__all__ = ["ChunkingConfig", "TokenCounter", "TokenizerCounter", "chunk_markdown"]
