"""The vocabulary: the values that travel through the pipelines, one type at each border.

Everything here is frozen and built from the standard library alone, so that every room of the program may
import it. A stage takes one of these values and returns the next one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

# Metadata of a field that stays in this process: feeds and payloads leave it out.
KEPT_INSIDE = {"feed": False}


def _left_out(_: object) -> None:
    """For Scrapy's exporters, which ask each field of an item."""


ChunkType = Literal["text", "table", "list", "code", "image", "quote", "html", "mixed"]


@dataclass(frozen=True, slots=True)
class Page:
    """A response worth keeping, as it came from the site.

    Attributes:
        id: the document id: a hash of the canonical final URL.
        url: the canonical URL that was asked for.
        final_url: the canonical URL that answered, after redirects; the document's identity.
        body: the undecoded bytes.
        content_type: the `Content-Type` header as sent, "" where there was none.
        status: the HTTP status.
        fetched_at: ISO 8601, UTC, whole seconds.
        depth: links followed from a start URL.
        parent_url: the page on which the link was found, "" for a start URL.
        etag: the validator of the same name, "" where the site sent none.
        last_modified: the header of the same name, "" where the site sent none.
    """

    id: str
    url: str
    final_url: str
    body: bytes = field(repr=False, metadata=KEPT_INSIDE | {"serializer": _left_out})
    content_type: str
    status: int
    fetched_at: str
    depth: int = 0
    parent_url: str = ""
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in a document that a URL fragment can name.

    Attributes:
        line: 0-based line of the Markdown on which the place stands.
        id: the fragment, without `#`, not percent-encoded.
    """

    line: int
    id: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says of itself; "" where it says nothing.

    Attributes:
        description: its own summary.
        language: BCP 47 tag.
        author: names, joined by "; ".
        published: ISO 8601 date.
        modified: ISO 8601 date.
        canonical_url: the address the document claims for itself, absolute.
        site_name: the name of the site it belongs to.
        media_type: the type it was converted as, after sniffing.
        converter: the path that converted it, "html-projection" or "pdf-text-layer", say.
        pages: pages of a paged document, else 0.
        hidden_characters: characters dropped because a reader cannot see them.
        suspicious: passages that read like instructions to a model; kept in the text, flagged here.
        warnings: what was lost or guessed on the way, one sentence each.
    """

    description: str = ""
    language: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    canonical_url: str = ""
    site_name: str = ""
    media_type: str = ""
    converter: str = ""
    pages: int = 0
    hidden_characters: int = 0
    suspicious: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Weights of the vocabulary entries that are not zero; both sequences have one length."""

    indices: Sequence[int]
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The two embeddings of one text; `dense` has the length its model's description gives."""

    dense: Sequence[float]
    sparse: SparseVector


@dataclass(frozen=True, slots=True)
class ChunkExtra:
    """What only some chunks have.

    Attributes:
        table_id: the table a part belongs to, unique in the document.
        list_id: the list a part belongs to, unique in the document.
        chunk_index: 0-based index of this part of its table.
        total_chunks: parts of the table.
        item_range: the items of the list that are here, "1-5 of 20".
        language: of the code in this chunk.
        oversized: the content is over the limit on purpose (code policy "keep").
        full_document: the whole document is this one chunk, being very short.
        full_text_key: where the whole text of a truncated run is kept, `{chunk_id}_full_text`.
        full_text: that whole text.
        suspicious: passages that read like instructions to a model.
    """

    table_id: str = ""
    list_id: str = ""
    chunk_index: int = 0
    total_chunks: int = 0
    item_range: str = ""
    language: str = ""
    oversized: bool = False
    full_document: bool = False
    full_text_key: str = ""
    full_text: str = ""
    suspicious: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SemanticChunk:
    """A passage of a document: what is stored, shown and cited.

    Attributes:
        id: point id, a UUID made from document id, content and occurrence: same content, same point.
        embed_hash: hash of embedded text, model and chunker version; a new one wants a new vector.
        chunk_id: readable, `doc_5_h2_3_chunk_7`: document slug, heading level and ordinal, position.
        document_id: the document's `id`.
        document_title: the document's title.
        source_url: the document's URL.
        chunk_link: the URL with the fragment of the nearest heading.
        chunk_type: the kind of its content, "mixed" where it holds several.
        content: Markdown; what is stored and shown.
        content_hash: SHA-256 of `content`, hexadecimal.
        token_count: tokens of `content`, without the model's special tokens.
        embed_text: what is embedded: heading path, summary if there is one, content.
        start: offset of its source span in the unmodified Markdown, in `str` characters.
        end: offset behind the span's last character.
        section_path: the real headings above it, outermost first.
        parent_section: the immediate heading, "" where there is none.
        headers: `Header 1` .. `Header 6` and their text; here one made up for want of any may stand.
        section_title: the nearest H2.
        chapter: the folder or first path segment of the URL.
        position: 0-based order in the document.
        split_sequence: "28/40": part 28 of 40 of one section or element, "" where it is whole.
        is_continuation: it goes on with what the chunk before began.
        prev_chunk_id: `id` of the chunk before, "" for the first.
        next_chunk_id: `id` of the chunk after, "" for the last.
        context_before: the end of the chunk before, shown with a hit; not part of the content.
        context_after: the beginning of the chunk after, likewise.
        summary: filled by the summariser.
        extra: what only some chunks have.
        fetched_at: of the page.
        etag: of the page.
        last_modified: of the page.
        aliases: other URLs of the same text, at most 50.
        vectors: the embeddings, None until they are made.
    """

    id: str
    chunk_id: str
    document_id: str
    content: str
    content_hash: str
    token_count: int
    embed_text: str
    start: int
    end: int
    position: int
    embed_hash: str = ""
    document_title: str = ""
    source_url: str = ""
    chunk_link: str = ""
    chunk_type: ChunkType = "text"
    section_path: tuple[str, ...] = ()
    parent_section: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    section_title: str = ""
    chapter: str = ""
    split_sequence: str = ""
    is_continuation: bool = False
    prev_chunk_id: str = ""
    next_chunk_id: str = ""
    context_before: str = ""
    context_after: str = ""
    summary: str = ""
    extra: ChunkExtra = ChunkExtra()
    fetched_at: str = ""
    etag: str = ""
    last_modified: str = ""
    aliases: tuple[str, ...] = ()
    vectors: Vectors | None = field(default=None, repr=False, metadata=KEPT_INSIDE)


_CHUNK_FIELDS = tuple(entry.name for entry in fields(SemanticChunk) if entry.metadata.get("feed", True))
_EXTRA_DEFAULTS = {entry.name: entry.default for entry in fields(ChunkExtra)}


def chunk_record(chunk: SemanticChunk) -> dict[str, Any]:
    """The chunk as JSON types, for feeds and programs: every field but the vectors; no neighbour is null."""
    record = {name: getattr(chunk, name) for name in _CHUNK_FIELDS}
    record["prev_chunk_id"] = chunk.prev_chunk_id or None
    record["next_chunk_id"] = chunk.next_chunk_id or None
    record["section_path"] = list(chunk.section_path)
    record["aliases"] = list(chunk.aliases)
    record["headers"] = dict(chunk.headers)
    record["extra"] = extra_record(chunk.extra)
    return record


def chunk_from_record(record: Mapping[str, Any]) -> SemanticChunk:
    """The chunk of such a record, without vectors.

    Raises:
        KeyError: a field is missing.
        TypeError: there is a field that no chunk has.
    """
    extra = dict(record["extra"])
    extra["suspicious"] = tuple(extra.get("suspicious", ()))
    return SemanticChunk(
        **{
            **record,
            "prev_chunk_id": record["prev_chunk_id"] or "",
            "next_chunk_id": record["next_chunk_id"] or "",
            "section_path": tuple(record["section_path"]),
            "aliases": tuple(record.get("aliases", ())),
            "headers": tuple(record["headers"].items()),
            "extra": ChunkExtra(**extra),
        }
    )


def extra_record(extra: ChunkExtra) -> dict[str, Any]:
    """Only what is set, the index of a table's first part included; tuples as lists."""
    values = {name: getattr(extra, name) for name in _EXTRA_DEFAULTS}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != _EXTRA_DEFAULTS[name] or (name == "chunk_index" and extra.table_id)
    }


def chunk_records(chunks: Sequence[SemanticChunk]) -> list[dict[str, Any]]:
    """The chunks of a document as a feed shows them.

    Scrapy's `FEED_EXPORT_FIELDS` knows only the fields of the item itself; it calls this as their serializer.
    """
    return [chunk_record(chunk) for chunk in chunks]


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
    """

    id: str
    url: str
    title: str
    language: str
    markdown: str
    content_hash: str
    fetched_at: str
    metadata: Metadata = Metadata()
    anchors: tuple[Anchor, ...] = ()
    chunks: tuple[SemanticChunk, ...] = field(default=(), metadata={"serializer": chunk_records})
    etag: str = ""
    last_modified: str = ""
    page_hash: str = ""
    near_hash: str = ""
