"""Hits and passages as JSON types, for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from ragcrawler.items import chunk_record
from ragcrawler.retrieval.passage import Passage, single_passages
from ragcrawler.retrieval.search.collection_retriever import Found
from ragcrawler.retrieval.word_budget import count_words


def hit_records(found: Found) -> Iterator[dict[str, Any]]:
    """A hit a record: what passages have, and everything that is known of its chunk.

    Where a reranker was asked, how that went.
    """
    for rank, passage in enumerate(single_passages(found.hits), start=1):
        shown = _record(rank, passage, found)
        yield {
            **shown,
            **chunk_record(passage.hits[0]),
            **shown,
        }  # where both have a field, it is the same one


def passage_records(passages: Sequence[Passage], found: Found) -> Iterator[dict[str, Any]]:
    """A passage a record: its text and its citation."""
    for rank, passage in enumerate(passages, start=1):
        yield {
            **_record(rank, passage, found),
            "words": count_words(passage.text),
            "is_cut": passage.is_cut,
            **({} if passage.links is None else {"links": list(passage.links)}),
            "chunk_ids": [chunk.id for chunk in passage.chunks],
            "hit_ids": [chunk.id for chunk in passage.hits],
        }


def citation_record(passage: Passage) -> dict[str, Any]:
    """Where a passage stands, and what in it reads like instructions to a model."""
    return {
        "title": passage.title,
        "section_path": list(passage.section_path),
        "link": passage.link,
        "source_url": passage.hits[0].source_url,
        "document_id": passage.hits[0].document_id,
        "suspicious": list(passage.suspicious),
    }


def _record(rank: int, passage: Passage, found: Found) -> dict[str, Any]:
    return {
        "rank": rank,
        "score": passage.score,
        **reranking_record(found),
        "id": passage.hits[0].id,
        **citation_record(passage),
        "text": passage.text,
    }


def reranking_record(found: Found) -> dict[str, Any]:
    """Whether a reranker made the order, and why not; nothing where there is none."""
    if not (found.reranked or found.rerank_failure):
        return {}
    return {"reranked": found.reranked, "rerank_failure": found.rerank_failure or None}
