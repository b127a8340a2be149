"""What other frameworks are told of a hit beside its text."""

from ragcrawler.api.search import SearchHit

Metadata = dict[str, str | float | list[str]]


def hit_metadata(hit: SearchHit) -> Metadata:
    """Where a passage stands and how it was ranked, in types of JSON.

    `source` is the link to the nearest heading, under the name by which LangChain's documents have theirs.
    """
    return {
        "source": hit.link,
        "url": hit.url,
        "title": hit.title,
        "section_path": list(hit.section_path),
        "score": hit.score,
        "document_id": hit.document_id,
        "chunk_ids": [chunk.id for chunk in hit.chunks],
        "suspicious": list(hit.suspicious),
    }
