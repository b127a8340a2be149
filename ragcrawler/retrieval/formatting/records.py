"""Hits and passages as JSON types, for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from ragcrawler.items import chunk_record
from ragcrawler.retrieval.passage import Passage
from ragcrawler.retrieval.search.collection_retriever import Found
from ragcrawler.retrieval.short_links import plain_label, short_links
from ragcrawler.retrieval.word_budget import count_words


def hit_records(found: Found) -> Iterator[dict[str, Any]]:
    """A hit a record: everything that is known of its chunk, and its text without addresses.

    Where a reranker was asked, how that went.
    """
    for rank, hit in enumerate(found.hits, start=1):
        yield {
            "rank": rank,
            "score": hit.score,
            **reranking_record(found),
            "text": short_links(hit.chunk.content),
            **chunk_record(hit.chunk),
            "section_path": list(map(plain_label, hit.chunk.section_path)),
        }


def passage_records(passages: Sequence[Passage], found: Found) -> Iterator[dict[str, Any]]:
    """A passage a record: its text and its citation."""
    for rank, passage in enumerate(passages, start=1):
        yield {
            "rank": rank,
            "score": passage.score,
            **reranking_record(found),
            **citation_record(passage),
            "text": passage.text,
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
        "suspicious": list(passage.suspicious),
    }


def reranking_record(found: Found) -> dict[str, Any]:
    """Whether a reranker made the order, and why not; nothing where there is none."""
    if not (found.reranked or found.rerank_failure):
        return {}
    return {"reranked": found.reranked, "rerank_failure": found.rerank_failure or None}
