"""A page as Markdown."""

from dataclasses import dataclass, field
from typing import Literal

from ragcrawler.items.chunk import SemanticChunk
from ragcrawler.items.metadata import Anchor, Metadata
from ragcrawler.items.records import chunk_records

DocumentState = Literal["", "new", "changed", "unchanged", "removed"]

# Frozen, so that all documents can share it.
_NOTHING_SAID = Metadata()


@dataclass(frozen=True, slots=True)
class Document:
    """A page as Markdown, with its chunks once they are made.

    Attributes:
        id: hash of the canonical URL, the same as its page's.
        url: canonical URL.
        title: the title, "" where none was found.
        language: BCP 47 tag, "" where unknown.
        markdown: the converted text.
        content_hash: SHA-256 of `markdown`, hexadecimal.
        fetched_at: ISO 8601, UTC.
        metadata: what the document says of itself.
        anchors: the places a fragment can name, in line order.
        chunks: in order of `position`.
        etag: of the page.
        last_modified: of the page.
        page_hash: of the page's bytes and media type, "" where it did not come from a page.
        near_hash: fingerprint for near-duplicates, hexadecimal; "" where there is none.
        state: what the crawl found beside what was stored before; "" until that is known. A document that was
            taken out of the collection says "removed", with its URL alone.
    """

    id: str
    url: str
    title: str
    language: str
    markdown: str
    content_hash: str
    fetched_at: str
    metadata: Metadata = _NOTHING_SAID
    anchors: tuple[Anchor, ...] = ()
    chunks: tuple[SemanticChunk, ...] = field(default=(), metadata={"serializer": chunk_records})
    etag: str = ""
    last_modified: str = ""
    page_hash: str = ""
    near_hash: str = ""
    state: DocumentState = ""
