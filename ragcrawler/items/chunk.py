"""`SemanticChunk`: the unit that is stored, shown and cited."""

from dataclasses import dataclass, field
from typing import Literal

from ragcrawler.items.vectors import Vectors

# Metadata of a field that stays in this process.
KEPT_INSIDE = {"feed": False}
ChunkType = Literal["text", "table", "list", "code", "image", "quote", "html", "mixed"]
ListingKind = Literal["", "index", "contents", "links", "changelog"]
"""The listings: "index", terms in order; "contents"; "links", a few bare ones; "changelog", of releases."""


@dataclass(frozen=True, slots=True)
class ChunkExtra:
    """Fields that only some chunks have.

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
        path: of the file, relative to the folder that was read; "" for what came from the web.
        start_line: the first line of the file that the chunk is made of, counted from 1; 0 where the file is
            no text that is kept line by line.
        end_line: the last one.
        links: where the relative links in the chunk lead: paths in the folder, or URLs.
        kind: "index", "contents", "links" or "changelog" where it lists what stands elsewhere or what
            changed; "" for content.
        headings: of the sections in it, in order, where there are several.
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
    path: str = ""
    start_line: int = 0
    end_line: int = 0
    links: tuple[str, ...] = ()
    kind: ListingKind = ""
    headings: tuple[str, ...] = ()


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
        token_count: of `content` with the labels of its links alone, without the model's special tokens.
        embed_text: what is embedded: heading path, summary if any, content with the labels of its links.
        start: offset of its source span in the unmodified Markdown, in `str` characters.
        end: offset behind the span's last character.
        section_path: the real headings above it, outermost first.
        parent_section: the immediate heading, "" where there is none.
        headers: `Header 1` .. `Header 6` and their text, above the section that most of it is of; here one
            made up for want of any may stand.
        section_title: the nearest H2 of that section.
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
