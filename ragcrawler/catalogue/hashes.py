"""Hashes of pages and payloads, by which unchanged ones are recognised."""

import hashlib
import json
from collections.abc import Sequence

from ragcrawler.items import SemanticChunk, chunk_record

# They say when a passage was read, not what it says: a page fetched again must not rewrite its points.
_OF_THE_FETCH = ("fetched_at", "etag", "last_modified")


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
    record = chunk_record(chunk)
    record["split_sequence"] = record["split_sequence"] or ""
    record["extra"] = record["extra"] or {}
    for name in _OF_THE_FETCH:
        del record[name]
    # ASCII escapes even lone surrogates, which no other encoding takes.
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode("ascii")).hexdigest()
