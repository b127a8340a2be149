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
        is_lost: another worker has the document by now; nothing of this one's is stored.
    """

    new: int
    updated: int
    unchanged: int
    removed: int
    refused: Mapping[str, StoreError] = field(default_factory=dict)
    is_known: bool = False
    first_seen: str = ""
    is_kept_out: bool = False
    is_lost: bool = False


_LOST = WriteResult(0, 0, 0, 0, is_lost=True)
# Another worker that wrote the same document at the same moment ends with its first try.
_MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be done about a document.

    Attributes:
        work: how it should be.
        changes: to the store.
        before: its record.
    """

    work: DocumentWrite
    changes: Changes
    before: DocumentRecord | None

    @property
    def id(self) -> str:
        """Of the document."""
        return self.work.record.document_id

    @property
    def writes(self) -> bool:
        """Whether the store will not be as it is."""
        return not self.changes.are_none or bool(self.work.lost)

    @property
    def is_shared(self) -> bool:
        """Whether other workers may write the document too."""
        return bool(self.work.record.crawl)

    @property
    def chunks_before(self) -> tuple[ChunkRecord, ...]:
        return self.before.chunks if self.before else ()


def _plan(store: ChunkStore, work: DocumentWrite, before: DocumentRecord | None) -> _Plan:
    """Compare a document with the store: the changes to make."""
    stored = store.embed_hashes(work.record.document_id) if store.models() else {}
    ready = tuple(chunk for chunk in work.chunks if chunk.id not in work.lost)
    changes = find_changes(ready, stored, before)
    if work.lost:
        changes = replace(changes, stale=())
    return _Plan(work, changes, before)


def _result(plan: _Plan, refused: Mapping[str, StoreError]) -> WriteResult:
    """A plan that was carried out, in numbers."""
    changes = plan.changes
    own = {chunk.id: refused[chunk.id] for chunk in plan.work.chunks if chunk.id in refused}
    new = [chunk for chunk in changes.new if chunk.id not in own]
    updated = [chunk for chunk in (*changes.reembedded, *changes.rewritten) if chunk.id not in own]
    removed = 0 if own else len(changes.stale)
    is_known = changes.has_stored and plan.before is not None
    first_seen = plan.before.first_seen if plan.before else ""
    return WriteResult(len(new), len(updated), changes.unchanged, removed, own, is_known, first_seen)


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

    Of workers that write one document at the same time the catalogue chooses the one with the later lease.
    The store has no such order: what the other one wrote there is taken back, by itself or by who has the
    document. Where it dies before that, chunks stay that no record lists: `scrapy verify` finds them.

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
    before = catalogue.get_all([work.record.document_id for work in documents])
    plans = [_plan(store, work, before.get(work.record.document_id)) for work in documents]
    if is_dry:
        return [_result(plan, {}) for plan in plans]
    return _Writing(store, catalogue, visits).write(plans)


@dataclass(frozen=True, slots=True)
class _Writing:
    """Writes to one collection."""

    store: ChunkStore
    catalogue: DocumentCatalogue
    visits: Visits | None

    def write(self, plans: Sequence[_Plan], tries: int = _MOST_TRIES) -> list[WriteResult]:
        marked = [plan for plan in plans if plan.writes or plan.is_shared]
        lost = self.catalogue.mark_writing([plan.work.record for plan in marked])
        kept = [plan for plan in plans if plan.id not in lost]
        written = iter(self._write(self._up_to_date(kept), tries))
        return [_LOST if plan.id in lost else next(written) for plan in plans]

    def _up_to_date(self, plans: Sequence[_Plan]) -> list[_Plan]:
        """The plans; anew where another worker wrote the document before this one could mark it."""
        shared = [plan.id for plan in plans if plan.is_shared]
        now = self.catalogue.get_all(shared) if shared else {}
        return [
            _plan(self.store, plan.work, now[plan.id])
            if plan.id in now and now[plan.id].chunks != plan.chunks_before
            else plan
            for plan in plans
        ]

    def _write(self, plans: Sequence[_Plan], tries: int) -> list[WriteResult]:
        results = self._upsert(plans)
        records = [_record(plan, result, self.visits) for plan, result in zip(plans, results, strict=True)]
        refused = self.catalogue.put(
            with_checksums(self.store, records),
            {plan.id: plan.work.chunks for plan in plans},
            [plan.work.document for plan in plans if plan.work.document is not None],
        )
        written = zip(plans, results, strict=True)
        self._delete([plan for plan, each in written if each.removed and plan.id not in refused.all], tries)
        for place, plan in enumerate(plans):
            if plan.id in refused.lost:
                results[place] = _LOST
                self._take_back(plan, tries)
            elif plan.id in refused.disturbed:
                results[place] = self._again(plan.work, tries)
        return results

    def _upsert(self, plans: Sequence[_Plan]) -> list[WriteResult]:
        changes = [plan.changes for plan in plans]
        refused = upsert_isolating_failures(
            self.store, [chunk for each in changes for chunk in (*each.new, *each.reembedded)]
        )
        refused |= upsert_isolating_failures(
            self.store, [chunk for each in changes for chunk in each.rewritten]
        )
        if any(not each.are_none for each in changes):
            self.store.flush()
        return [_result(plan, refused) for plan in plans]

    def _delete(self, plans: Sequence[_Plan], tries: int) -> None:
        """Remove what documents no longer have; their records said that they are unfinished until now."""
        if not plans:
            return
        self.store.delete([each for plan in plans for each in plan.changes.stale])
        self.store.flush()
        begun = self.catalogue.finish([plan.work.record for plan in plans])
        for plan in plans:
            if plan.id in begun:
                self._take_back(plan, tries)

    def _again(self, work: DocumentWrite, tries: int) -> WriteResult:
        """Write a document once more, for a worker that had lost it has written to the store meanwhile."""
        if not tries:
            return _LOST
        before = self.catalogue.get(work.record.document_id)
        plan = _plan(self.store, work, before)
        unembedded = frozenset(chunk.id for chunk in plan.changes.new if chunk.vectors is None)
        if unembedded:  # the other one has deleted them: the next crawl embeds them anew
            plan = _plan(self.store, replace(work, lost=work.lost | unembedded), before)
        return self.write([plan], tries - 1)[0]

    def _take_back(self, plan: _Plan, tries: int) -> None:
        """Leave a document as the worker wants it that has it now; one that still writes does it itself."""
        winner = self.catalogue.get(plan.id)
        if winner is not None and winner.is_unfinished:
            return
        listed = {chunk.id for chunk in winner.chunks} if winner else set()
        self.store.delete([chunk.id for chunk in plan.changes.new if chunk.id not in listed])
        if winner is None:
            return
        work = DocumentWrite(winner, tuple(self.catalogue.chunks(plan.id)))
        if self.catalogue.mark_writing([winner]):  # its crawl has ended
            work = replace(work, record=replace(winner, crawl="", lease=0))
            self.catalogue.mark_writing([work.record])
        self._again(work, tries)


def _record(plan: _Plan, result: WriteResult, visits: Visits | None) -> DocumentRecord:
    """The record of a document.

    The page hash is cleared when a chunk is missing, so the next crawl processes the page again. Unchanged
    chunks keep their checksums, the others have none yet. Where only the payload changes, the page was not
    visited. As long as the store has chunks to delete, it is unfinished.
    """
    work, before = plan.work, plan.before
    changes = plan.changes
    touched = {chunk.id for chunk in (*changes.new, *changes.reembedded, *changes.rewritten)}
    checksums = {chunk.id: chunk.checksum for chunk in plan.chunks_before if chunk.id not in touched}
    chunks = (ChunkRecord.of(chunk)._replace(checksum=checksums.get(chunk.id, "")) for chunk in work.chunks)
    record = replace(
        work.record,
        chunks=tuple(chunks),
        first_seen=(before.first_seen if before else "") or work.record.first_seen,
        is_unfinished=result.removed > 0,
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
