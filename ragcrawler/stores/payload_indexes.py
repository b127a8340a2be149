"""Which payload fields are indexed, and as what: those that people and crawls filter by."""

from collections.abc import Mapping
from typing import Literal

IndexType = Literal["keyword", "integer", "datetime"]

PAYLOAD_INDEXES: Mapping[str, IndexType] = {
    "document_id": "keyword",
    "source_url": "keyword",
    "chunk_type": "keyword",
    "content_hash": "keyword",
    "section_path_list": "keyword",
    "section_title": "keyword",
    "chapter": "keyword",
    "extra.language": "keyword",
    "position": "integer",
    "token_count": "integer",
    "fetched_at": "datetime",
}
