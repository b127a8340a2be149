"""Markdown into chunks that keep its structure."""

from typing import TYPE_CHECKING

from ragcrawler.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from ragcrawler.chunking.chunker import chunk_markdown
    from ragcrawler.chunking.config import ChunkingConfig
    from ragcrawler.chunking.document_bounds import ChunkBoundError
    from ragcrawler.chunking.output.summaries import with_summary, without_summary
    from ragcrawler.chunking.plain_text import (
        chunk_by_char,
        chunk_by_meaning,
        chunk_by_section,
        chunk_by_sentence,
    )
    from ragcrawler.chunking.shared_blocks import ReducedText, leave_out
    from ragcrawler.chunking.sizing.counters import open_counter
    from ragcrawler.chunking.sizing.tiktoken_counter import TiktokenCounter
    from ragcrawler.chunking.sizing.tokenizer_counter import TokenizerCounter
    from ragcrawler.chunking.sizing.tokens import TokenCounter
    from ragcrawler.chunking.strategies.protocol import SentenceEmbedder
    from ragcrawler.chunking.validation import ChunkValidation, validate

__all__ = [
    "ChunkBoundError",
    "ChunkValidation",
    "ChunkingConfig",
    "ReducedText",
    "SentenceEmbedder",
    "TiktokenCounter",
    "TokenCounter",
    "TokenizerCounter",
    "chunk_by_char",
    "chunk_by_meaning",
    "chunk_by_section",
    "chunk_by_sentence",
    "chunk_markdown",
    "leave_out",
    "open_counter",
    "validate",
    "with_summary",
    "without_summary",
]

# A search reads the settings of chunks, and cuts none.
__getattr__ = lazy_exports(
    __name__,
    {
        "ChunkBoundError": "document_bounds",
        "ChunkValidation": "validation",
        "ChunkingConfig": "config",
        "ReducedText": "shared_blocks",
        "SentenceEmbedder": "strategies.protocol",
        "TiktokenCounter": "sizing.tiktoken_counter",
        "TokenCounter": "sizing.tokens",
        "TokenizerCounter": "sizing.tokenizer_counter",
        "chunk_by_char": "plain_text",
        "chunk_by_meaning": "plain_text",
        "chunk_by_section": "plain_text",
        "chunk_by_sentence": "plain_text",
        "chunk_markdown": "chunker",
        "leave_out": "shared_blocks",
        "open_counter": "sizing.counters",
        "validate": "validation",
        "with_summary": "output.summaries",
        "without_summary": "output.summaries",
    },
)
