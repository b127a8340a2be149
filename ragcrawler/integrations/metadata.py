"""What other frameworks are told of a hit beside its text."""

from ragcrawler.api.search import SearchHit

Metadata = dict[str, str | float | list[str]]


def hit_metadata(hit: SearchHit) -> Metadata:
    """Where a passage stands and how it was ranked, in types of JSON, by the names of `SearchHit`."""
    return {
        "title": hit.title,
        "section_path": list(hit.section_path),
        "link": hit.link,
        "source_url": hit.source_url,
        "score": hit.score,
        "document_id": hit.document_id,
        "chunk_ids": [chunk.id for chunk in hit.chunks],
        "suspicious": list(hit.suspicious),
        "source": hit.link,  # the former names of two, for one version
        "url": hit.source_url,
    }
