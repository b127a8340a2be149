"""Documents and their chunks."""

from itertools import islice

from ragcrawler.catalogue import DocumentCatalogue, DocumentRecord
from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.joining import join_contents
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import NotFoundError
from ragcrawler.server.services.forms import ChunkForm, ChunksForm, DocumentsForm
from ragcrawler.server.services.results import (
    ChunkResult,
    ChunksResult,
    DocumentResult,
    DocumentsResult,
    PassageResult,
    clean,
)
from ragcrawler.server.services.search import answer_errors


def documents(collection: ServedCollection, form: DocumentsForm) -> DocumentsResult:
    """A page of the list of documents.

    Raises:
        UnavailableError: the catalogue cannot be read.
    """

    def read(catalogue: DocumentCatalogue) -> list[DocumentResult]:
        known = catalogue.documents(form.site or None, after=form.after)
        records = (each for each in known if each.is_stored)
        return [_document(catalogue, each) for each in islice(records, form.limit + 1)]

    found = collection.with_catalogue(read)
    shown = found[: form.limit]
    return DocumentsResult(documents=shown, next=shown[-1].document_id if len(found) > form.limit else None)


def document(collection: ServedCollection, document_id: str) -> DocumentResult:
    """A document as the catalogue records it.

    Raises:
        NotFoundError: there is none.
        UnavailableError: the catalogue cannot be read.
    """

    def read(catalogue: DocumentCatalogue) -> DocumentResult | None:
        record = catalogue.get(document_id)
        return _document(catalogue, record) if record else None

    found = collection.with_catalogue(read)
    if found is None:
        raise NotFoundError(f"There is no document {document_id}.")
    return found


def document_chunks(collection: ServedCollection, document_id: str, form: ChunksForm) -> ChunksResult:
    """A stretch of a document, chunk by chunk.

    Raises:
        NotFoundError: the store has no such document.
    """
    with answer_errors():
        total = collection.store.count(filters={"document_id": document_id}) if _is_there(collection) else 0
        if not total:
            raise NotFoundError(f"There is no document {document_id}.")
        end = form.start + form.limit
        stretch = [f"document_id={document_id}", f"position>={form.start}", f"position<{end}"]
        chunks = sorted(collection.store.scroll(filters=stretch), key=lambda chunk: chunk.position)
    shown = chunks or _first(collection, document_id)
    return ChunksResult(
        document_id=document_id,
        title=clean(shown[0].document_title),
        source_url=clean(shown[0].source_url),
        total=total,
        chunks=[ChunkResult.of(each) for each in chunks],
        next=end if end < total else None,
    )


def chunk(collection: ServedCollection, chunk_id: str, form: ChunkForm) -> PassageResult:
    """A chunk with its neighbours.

    Raises:
        NotFoundError: there is no such chunk.
    """
    found = _get(collection, chunk_id)
    before, after = [found], [found]
    for _ in range(form.context):
        before += _get_known(collection, before[-1].prev_chunk_id)
        after += _get_known(collection, after[-1].next_chunk_id)
    earlier, later = list(reversed(before[1:])), after[1:]
    return PassageResult(
        chunk=ChunkResult.of(found),
        before=[ChunkResult.of(each) for each in earlier],
        after=[ChunkResult.of(each) for each in later],
        text=clean(join_contents([*earlier, found, *later])),
    )


def _document(catalogue: DocumentCatalogue, record: DocumentRecord) -> DocumentResult:
    known = catalogue.document(record)
    return DocumentResult(
        document_id=record.document_id,
        source_url=clean(record.url),
        url=clean(record.url),
        site=record.site,
        title=clean(known.title) if known else "",
        language=clean(known.language) if known else "",
        chunks=len(record.stored_chunks),
        fetched_at=record.fetched_at,
        first_seen=record.first_seen,
        last_seen=record.last_seen,
        missing_reason=record.missing_reason,
        aliases=[clean(each) for each in record.aliases],
    )


def _is_there(collection: ServedCollection) -> bool:
    return collection.store.models() is not None


def _first(collection: ServedCollection, document_id: str) -> list[SemanticChunk]:
    """Any chunk of a document that has some."""
    return list(islice(collection.store.scroll(filters={"document_id": document_id}), 1))


def _get(collection: ServedCollection, chunk_id: str) -> SemanticChunk:
    found = _get_known(collection, chunk_id)
    if not found:
        raise NotFoundError(f"There is no chunk {chunk_id}.")
    return found[0]


def _get_known(collection: ServedCollection, chunk_id: str) -> list[SemanticChunk]:
    if not chunk_id or not _is_there(collection):
        return []
    with answer_errors():
        return list(collection.store.get([chunk_id]))
