"""Which payload fields are indexed, and as what: those that people and crawls filter by.

Each costs every chunk that is written a little, and every new collection on disk some files.
"""

from collections.abc import Mapping
from typing import Literal

IndexType = Literal["keyword", "datetime"]

PAYLOAD_INDEXES: Mapping[str, IndexType] = {
    "document_id": "keyword",
    "source_url": "keyword",
    "chunk_type": "keyword",
    "content_hash": "keyword",
    "section_path_list": "keyword",
    "chapter": "keyword",
    "extra.language": "keyword",
    "fetched_at": "datetime",
}
