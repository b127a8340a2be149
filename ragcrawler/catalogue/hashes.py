"""Hashes of pages and payloads, by which unchanged ones are recognised."""

import hashlib
import json
from collections.abc import Sequence

from ragcrawler.items import SemanticChunk, chunk_record

# They say when a passage was read, not what it says: a page fetched again must not rewrite its points.
_OF_THE_FETCH = ("fetched_at", "etag", "last_modified")
# The hashes of points that are stored count these, empty or not. This list does not grow: a field that comes
# later counts where it says something, so that no point is taken for changed for want of it.
_ALWAYS_COUNTED = frozenset(
    [
        "id",
        "chunk_id",
        "document_id",
        "content",
        "content_hash",
        "token_count",
        "embed_text",
        "start",
        "end",
        "position",
        "embed_hash",
        "document_title",
        "source_url",
        "chunk_link",
        "chunk_type",
        "section_path",
        "parent_section",
        "headers",
        "section_title",
        "chapter",
        "split_sequence",
        "is_continuation",
        "prev_chunk_id",
        "next_chunk_id",
        "context_before",
        "context_after",
        "summary",
        "extra",
        "aliases",
    ]
)


def page_hash(body: bytes, content_type: str, facts: Sequence[str] = ()) -> str:
    """SHA-256 of a page as it came, hexadecimal.

    The same bytes are another page as another media type, or where its source says other facts of it.
    """
    digest = hashlib.sha256(content_type.strip().lower().encode("utf-8", "surrogatepass"))
    digest.update(b"\0")
    digest.update(body)
    if facts:
        digest.update("\0".join(("", *facts)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def payload_hash(chunk: SemanticChunk) -> str:
    """SHA-256 of all that a point says beside its vectors, but for when it was fetched; hexadecimal.

    Null counts as what earlier versions wrote for it: the points that they stored stay as they are.
    """
    record = {
        name: value
        for name, value in chunk_record(chunk).items()
        if name in _ALWAYS_COUNTED or (value and name not in _OF_THE_FETCH)
    }
    record["split_sequence"] = record["split_sequence"] or ""
    record["extra"] = record["extra"] or {}
    # ASCII escapes even lone surrogates, which no other encoding takes.
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode("ascii")).hexdigest()
