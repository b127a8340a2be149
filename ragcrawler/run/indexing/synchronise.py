"""Brings store and catalogue in step with documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ragcrawler.bootstrap.checksums import with_checksums
from ragcrawler.catalogue import ChunkRecord, DocumentCatalogue, DocumentRecord
from ragcrawler.items import Document, SemanticChunk
from ragcrawler.run.indexing.changes import Changes, find_changes
from ragcrawler.run.indexing.visits import Visits
from ragcrawler.stores import ChunkStore, DiskFullError, StoreAwayError, StoreError


@dataclass(frozen=True, slots=True)
class DocumentWrite:
    """The target state of a document in store and catalogue.

    Attributes:
        record: for the catalogue; its chunks follow from `chunks`.
        chunks: all of them, in order; with vectors where they are new, without where the store has them.
        lost: ids of those that have vectors nowhere; while there are any, nothing is removed.
        document: whose Markdown the catalogue keeps; None where only its payload changes.
    """

    record: DocumentRecord
    chunks: tuple[SemanticChunk, ...]
    lost: frozenset[str] = frozenset()
    document: Document | None = None


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of writing a document.

    Attributes:
        new: chunks written that were not there.
        updated: chunks rewritten, with other vectors or with those they had.
        unchanged: chunks left alone.
        removed: chunks taken away.
        refused: chunks that the store did not take, with its reasons.
        is_known: whether it was stored before.
        first_seen: id of the run that found it before; "" where none did.
        is_kept_out: nothing was written, for the collection keeps it out.
    """

    new: int
    updated: int
    unchanged: int
    removed: int
    refused: Mapping[str, StoreError] = field(default_factory=dict)
    is_known: bool = False
    first_seen: str = ""
    is_kept_out: bool = False


def _plan(store: ChunkStore, catalogue: DocumentCatalogue, work: DocumentWrite) -> Changes:
    """Compare a document with the store and return the changes to make."""
    known_id = work.record.document_id
    stored = store.embed_hashes(known_id) if store.models() else {}
    ready = tuple(chunk for chunk in work.chunks if chunk.id not in work.lost)
    plan = find_changes(ready, stored, catalogue.get(known_id))
    return replace(plan, stale=()) if work.lost else plan


def _result(plan: Changes, refused: Mapping[str, StoreError], before: DocumentRecord | None) -> WriteResult:
    """A plan that was carried out, in numbers."""
    is_known = plan.has_stored and before is not None
    new = [chunk for chunk in plan.new if chunk.id not in refused]
    updated = [chunk for chunk in (*plan.reembedded, *plan.rewritten) if chunk.id not in refused]
    removed = 0 if refused else len(plan.stale)
    first_seen = before.first_seen if before else ""
    return WriteResult(len(new), len(updated), plan.unchanged, removed, refused, is_known, first_seen)


def synchronise(
    store: ChunkStore,
    catalogue: DocumentCatalogue,
    documents: Sequence[DocumentWrite],
    *,
    visits: Visits | None = None,
    is_dry: bool = False,
) -> list[WriteResult]:
    """Write what is new of some documents, then what moved, then remove what is no longer there.

    In this order a search meanwhile never misses a page. The catalogue knows before the first write that it
    was begun, and after the store was flushed that it is done: a crawl that is killed in between, or whose
    machine loses its power, is mended by the next. The call may be repeated. A dry one only says
    what it would write.

    Args:
        store: of the collection.
        catalogue: of the same.
        documents: as they should be.
        visits: dates the pages that were read; None where they were not visited.
        is_dry: write nothing.

    Raises:
        StoreError: the store could not be asked, or is away.
        CatalogueError: the catalogue could not be read or written.
    """
    plans = [_plan(store, catalogue, work) for work in documents]
    known = [catalogue.get(work.record.document_id) for work in documents]
    if is_dry:
        return [_result(plan, {}, before) for plan, before in zip(plans, known, strict=True)]
    catalogue.mark_writing(
        [work.record for work, plan in zip(documents, plans, strict=True) if not plan.are_none or work.lost]
    )
    refused = upsert_isolating_failures(
        store, [chunk for plan in plans for chunk in (*plan.new, *plan.reembedded)]
    )
    refused |= upsert_isolating_failures(store, [chunk for plan in plans for chunk in plan.rewritten])
    results = []
    for work, plan, before in zip(documents, plans, known, strict=True):
        own = {chunk.id: refused[chunk.id] for chunk in work.chunks if chunk.id in refused}
        results.append(_result(plan, own, before))
    store.delete(
        [each for plan, result in zip(plans, results, strict=True) if result.removed for each in plan.stale]
    )
    if any(not plan.are_none for plan in plans):
        store.flush()
    records = [
        _record(work, plan, catalogue, result, visits)
        for work, plan, result in zip(documents, plans, results, strict=True)
    ]
    catalogue.put(
        with_checksums(store, records),
        {work.record.document_id: work.chunks for work in documents},
        [work.document for work in documents if work.document is not None],
    )
    return results


def _record(
    work: DocumentWrite,
    plan: Changes,
    catalogue: DocumentCatalogue,
    result: WriteResult,
    visits: Visits | None,
) -> DocumentRecord:
    """The record of a document.

    The page hash is cleared when a chunk is missing, so the next crawl processes the page again. Unchanged
    chunks keep their checksums, the others have none yet. Where only the payload changes, the
    page was not visited.
    """
    before = catalogue.get(work.record.document_id)
    touched = {chunk.id for chunk in (*plan.new, *plan.reembedded, *plan.rewritten)}
    stored = before.chunks if before else ()
    checksums = {chunk.id: chunk.checksum for chunk in stored if chunk.id not in touched}
    chunks = (ChunkRecord.of(chunk)._replace(checksum=checksums.get(chunk.id, "")) for chunk in work.chunks)
    record = replace(
        work.record,
        chunks=tuple(chunks),
        first_seen=(before.first_seen if before else "") or work.record.first_seen,
    )
    if work.lost or result.refused:
        return replace(record, page_hash="", etag="", last_modified="", is_unfinished=True)
    return record if visits is None or work.document is None else visits.dated(record, before)


# A store that refuses this many refuses everything, for want of space or rights: the others are not tried.
MOST_REFUSED = 16


def upsert_isolating_failures(store: ChunkStore, chunks: Sequence[SemanticChunk]) -> dict[str, StoreError]:
    """Write all chunks that the store takes; a batch that it refuses is halved until the bad stand alone.

    Returns:
        the ids of those that it does not take, with its reasons.

    Raises:
        StoreAwayError: it is not there at all.
        DiskFullError: it has no room.
    """
    refused: dict[str, StoreError] = {}
    batches = [chunks] if chunks else []
    while batches:
        batch = batches.pop()
        if len(refused) >= MOST_REFUSED:
            refused |= dict.fromkeys((chunk.id for chunk in batch), next(reversed(refused.values())))
            continue
        try:
            store.upsert(batch)
        except (StoreAwayError, DiskFullError):
            raise
        except StoreError as error:
            if len(batch) == 1:
                refused[batch[0].id] = error
            else:
                half = len(batch) // 2
                batches += [batch[half:], batch[:half]]  # in the order of the chunks: the last comes first
    return refused
