"""Converting and chunking a page in one call, in a worker process."""

import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from ragcrawler.catalogue import near_hash, page_hash
from ragcrawler.chunking import (
    ChunkBoundError,
    ChunkingConfig,
    ChunkValidation,
    ReducedText,
    SentenceEmbedder,
    TokenCounter,
    TokenizerCounter,
    chunk_markdown,
    leave_out,
    open_counter,
    validate,
)
from ragcrawler.conversion import ConversionError, ConversionLimits, convert
from ragcrawler.conversion.converted import Converted, Picture
from ragcrawler.conversion.links import relative_targets
from ragcrawler.conversion.suspicious import find_suspicious
from ragcrawler.conversion.text.heading_anchors import with_heading_anchors
from ragcrawler.items import Document, Metadata, Page, PageClaims, PageFile, SemanticChunk, bounded_label

OpenSimilarity = Callable[[], SentenceEmbedder]


@dataclass(frozen=True, slots=True)
class Spent:
    """Time that a piece of work took.

    Attributes:
        wall_seconds: by the clock.
        cpu_seconds: of the process or thread that did it.
    """

    wall_seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Prepared:
    """The result of a worker.

    Attributes:
        document: with its chunks.
        validation: what the chunks lost of it, and how big they are.
        pictures: to be saved beside the collection.
        chunking: time that cutting took.
        conversion: time that converting took, None where a document came.
        shared_characters: of blocks that its site's pages share, which its chunks go without.
    """

    document: Document
    validation: ChunkValidation
    pictures: tuple[Picture, ...] = ()
    chunking: Spent = Spent(0.0, 0.0)
    conversion: Spent | None = None
    shared_characters: int = 0


@dataclass(frozen=True)
class Preparation:
    """The call a worker makes for each page; it is pickled once, and loads its tokenizer at the first page.

    Attributes:
        limits: of a conversion.
        chunking: how to cut.
        tokenizer: path of the embedding model's `tokenizer.json`.
        limit_tokens: what both models read, special tokens included.
        similarity: opens what the strategy "semantic" compares sentences with, in the worker; else None.
        near_words: of a text that gets a fingerprint for near-duplicates, at least; 0 where none does.
        counter: counts the tokens of chunks; "" for the model's tokenizer.
    """

    limits: ConversionLimits
    chunking: ChunkingConfig
    tokenizer: Path
    limit_tokens: int
    similarity: OpenSimilarity | None = None
    near_words: int = 0
    counter: str = ""

    def __call__(self, page: Page) -> Prepared:
        """Convert and chunk a page.

        Raises:
            ConversionError: it cannot be converted, or has more chunks than a document may have.
        """
        wall, cpu = time.perf_counter(), time.process_time()
        converted = convert(page.body, page.content_type, page.final_url, limits=self.limits)
        if page.file is not None:
            converted = with_heading_anchors(converted)
        document = _document(page, converted)
        if self.near_words:
            document = replace(document, near_hash=near_hash(document.markdown, min_words=self.near_words))
        spent = Spent(time.perf_counter() - wall, time.process_time() - cpu)
        prepared = self.prepared(document, converted.pictures, page.shared_blocks)
        prepared = replace(prepared, conversion=spent)
        if page.file is None:
            return prepared
        return replace(prepared, document=with_places(prepared.document, page.file, converted.first_line))

    def prepared(
        self,
        document: Document,
        pictures: tuple[Picture, ...] = (),
        shared_blocks: frozenset[str] = frozenset(),
    ) -> Prepared:
        """A document with its chunks, and the chunks held against it.

        Args:
            document: without chunks.
            pictures: that were taken out of it.
            shared_blocks: hashes of blocks that the chunks go without; the Markdown stays whole.

        Raises:
            ConversionError: it has more chunks, or bigger ones, than a document may have.
        """
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            reduced = leave_out(document.markdown, shared_blocks)
            chunks = self._chunks(document, reduced)
        except ChunkBoundError as error:
            raise ConversionError(error.reason, str(error), url=document.url) from error
        validation = validate(reduced.text, chunks, self.chunking)
        document = replace(document, chunks=tuple(reduced.place(chunk) for chunk in chunks))
        spent = Spent(time.perf_counter() - wall, time.thread_time() - cpu)
        return Prepared(document, validation, pictures, spent, shared_characters=reduced.characters)

    def _chunks(self, document: Document, reduced: ReducedText) -> tuple[SemanticChunk, ...]:
        chunks = chunk_markdown(
            reduced.text,
            config=self.chunking,
            tokens=self._tokens,
            document_id=document.id,
            url=document.url,
            title=document.title,
            anchors=reduced.move_anchors(document.markdown, document.anchors),
            similarity=self._similarity,
            embedding_tokens=self._embedding_tokens if self.counter else None,
        )
        return tuple(_add_dates_and_flags(chunk, document) for chunk in chunks)

    @cached_property
    def _similarity(self) -> SentenceEmbedder | None:
        return self.similarity() if self.similarity else None

    @cached_property
    def _tokens(self) -> TokenCounter:
        if self.counter:
            return open_counter(self.counter, at_least=self.chunking.max_tokens)
        return self._embedding_tokens

    @cached_property
    def _embedding_tokens(self) -> TokenizerCounter:
        return TokenizerCounter(self.tokenizer, limit_tokens=self.limit_tokens)


def _add_dates_and_flags(chunk: SemanticChunk, document: Document) -> SemanticChunk:
    """The chunk with its page's dates, and with what in it reads like instructions to a model."""
    suspicious = find_suspicious(chunk.content) if document.metadata.suspicious else ()
    return replace(
        chunk,
        fetched_at=document.fetched_at,
        etag=document.etag,
        last_modified=document.last_modified,
        extra=replace(chunk.extra, suspicious=suspicious) if suspicious else chunk.extra,
    )


def picture_folder(document_id: str) -> str:
    """Where a document's pictures lie, relative to the output folder, as its Markdown refers to them."""
    return f"images/{document_id}"


def _with_picture_paths(converted: Converted, folder: str) -> str:
    markdown = converted.markdown
    for picture in converted.pictures:
        markdown = markdown.replace(f"]({picture.name})", f"]({folder}/{picture.name})")
    return markdown


def _with_claims(metadata: Metadata, claims: PageClaims) -> Metadata:
    return replace(
        metadata,
        description=bounded_label(claims.description) or metadata.description,
        language=bounded_label(claims.language) or metadata.language,
    )


def _document(page: Page, converted: Converted) -> Document:
    markdown = _with_picture_paths(converted, picture_folder(page.id))
    return Document(
        id=page.id,
        url=page.final_url,
        title=(page.file.title if page.file else "")
        or bounded_label(page.claims.title)
        or converted.title
        or page.title,
        language=page.claims.language or converted.metadata.language,
        markdown=markdown,
        content_hash=sha256(markdown.encode("utf-8", "surrogatepass")).hexdigest(),
        fetched_at=page.fetched_at,
        metadata=_with_claims(converted.metadata, page.claims),
        anchors=converted.anchors,
        etag=page.etag,
        last_modified=page.last_modified,
        page_hash=page_hash(page.body, page.content_type, page.facts),
    )


def with_places(document: Document, file: PageFile, first_line: int | None) -> Document:
    """The document with each chunk's path, lines, chapter and links.

    Args:
        document: with chunks, whose offsets are those of its Markdown.
        file: that it was read from.
        first_line: 0-based line of the file that the Markdown begins with; None where its lines are not
            those of the file.
    """
    ends = [at for at, sign in enumerate(document.markdown) if sign == "\n"] if first_line is not None else []
    chunks = []
    for chunk in document.chunks:
        extra = replace(chunk.extra, path=file.path, links=_links(chunk, document))
        if first_line is not None:
            extra = replace(
                extra,
                start_line=first_line + bisect_left(ends, chunk.start) + 1,
                end_line=first_line + bisect_left(ends, chunk.end) + 1,
            )
        chunks.append(replace(chunk, chapter=file.chapter, extra=extra))
    return replace(document, chunks=tuple(chunks))


def _links(chunk: SemanticChunk, document: Document) -> tuple[str, ...]:
    return relative_targets(document.markdown[chunk.start : chunk.end], document.url)
