"""Summaries in the embedded text of chunks that are finished."""

from dataclasses import replace

from ragcrawler.chunking.output.identity import embed_hash
from ragcrawler.chunking.parsing.hidden_text import visible
from ragcrawler.chunking.sizing.tokens import TokenCounter
from ragcrawler.items import SemanticChunk

_SEPARATOR = " > "


def with_summary(chunk: SemanticChunk, summary: str, *, tokens: TokenCounter, model: str) -> SemanticChunk:
    """The chunk with a summary, embedded between its headings and its text.

    Where the model has no room for all of it, the headings give way from the outermost on, then the summary;
    the content never does.

    Args:
        chunk: without a summary.
        summary: what was written about it; "" leaves the chunk as it is.
        tokens: the embedding model's counter.
        model: its name, part of `embed_hash`.
    """
    if not summary:
        return chunk
    embedded = next(
        (text for text in _candidates(chunk, summary) if tokens.count(text) <= tokens.limit), chunk.embed_text
    )
    return replace(chunk, summary=summary, embed_text=embedded, embed_hash=embed_hash(embedded, model))


def without_summary(chunk: SemanticChunk, *, model: str) -> SemanticChunk:
    """The chunk without its summary, in the embedded text too; headings that gave way to it stay away.

    Args:
        chunk: with a summary, embedded or not, or with none.
        model: name of the embedding model, part of `embed_hash`.
    """
    bare = replace(chunk, summary="")
    # Only in front of the content: its first paragraph may say the same.
    start = chunk.embed_text.rfind(visible(chunk.content))
    parts = chunk.embed_text[: max(start, 0)].split("\n\n")
    if chunk.summary not in parts[:-1] or chunk.summary in (*chunk.section_path, chunk.document_title):
        return bare
    parts.remove(chunk.summary)
    embedded = "\n\n".join(parts) + chunk.embed_text[start:]
    return replace(bare, embed_text=embedded, embed_hash=embed_hash(embedded, model))


def _candidates(chunk: SemanticChunk, summary: str) -> list[str]:
    """The possible embedded texts, the longest first."""
    path, parted, text = chunk.embed_text.partition("\n\n")
    headings = path.split(_SEPARATOR)
    if not parted or chunk.embed_text.startswith(visible(chunk.content)):
        headings, text = [], chunk.embed_text
    shortened = (_SEPARATOR.join(headings[first:]) for first in range(len(headings) + 1))
    return ["\n\n".join(part for part in (path, summary, text) if part) for path in shortened]
