"""Mending a document by the smallest work."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace

from ragcrawler.bootstrap.checksums import with_checksums, without_checksums
from ragcrawler.catalogue import ChunkRecord, DocumentCatalogue, DocumentRecord
from ragcrawler.chunking.output.identity import embed_hash, is_embed_hash
from ragcrawler.items import SemanticChunk, Vectors
from ragcrawler.maintenance.verification.facts import model_name
from ragcrawler.maintenance.verification.faults import document_faults
from ragcrawler.maintenance.verification.index_scan import DocumentFaults
from ragcrawler.maintenance.verification.record_recovery import recover_chunks, recover_record
from ragcrawler.stores import ChunkStore, CollectionModels

Embed = Callable[[Sequence[SemanticChunk]], Sequence[Vectors]]

_TO_EMBED = {"missing_chunk", "bad_vector", "other_model"}
_TO_REWRITE = {"wrong_payload", "broken_neighbours"}
_TO_DELETE = {"surplus_chunk", "duplicate_chunk"}


@dataclass(slots=True)
class Repairs:
    """The repairs of a document.

    Attributes:
        embedded: chunks written with vectors.
        rewritten: chunks whose payload alone was written.
        deleted: points taken away.
        settled: records that were set right.
        left: chunks and documents that only a crawl can bring back.
    """

    embedded: int = 0
    rewritten: int = 0
    deleted: int = 0
    settled: int = 0
    left: int = 0

    def __add__(self, other: "Repairs") -> "Repairs":
        return Repairs(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


def repair(
    store: ChunkStore,
    catalogue: DocumentCatalogue,
    faulty: DocumentFaults,
    models: CollectionModels,
    embed: Embed,
) -> Repairs:
    """Mend a document from the texts that the catalogue keeps: no page is fetched for it.

    What is missing is written first, then what is wrong, then what is too much is taken away.

    Raises:
        StoreError: the store cannot be written.
        CatalogueError: the catalogue cannot be written.
        EmbeddingError: a text cannot be embedded.
    """
    record, done = faulty.record, Repairs()
    if record is None:
        return _adopt(store, catalogue, faulty, models, embed)
    texts = {chunk.id: _right(chunk, models) for chunk in catalogue.chunks(record.document_id)}
    ids = {kind: [fault.chunk_id for fault in faulty.faults if fault.kind == kind] for kind in _KINDS}
    to_embed = [texts[each] for kind in _TO_EMBED for each in ids[kind] if each in texts]
    to_rewrite = [texts[each] for kind in _TO_REWRITE for each in ids[kind] if each in texts]
    to_delete = [each for kind in _TO_DELETE for each in ids[kind]]
    done.left = sum(each not in texts for kind in _TO_EMBED | _TO_REWRITE for each in ids[kind])
    vectors = embed(to_embed) if to_embed else []
    store.upsert([replace(chunk, vectors=made) for chunk, made in zip(to_embed, vectors, strict=True)])
    store.upsert(to_rewrite)
    store.delete(to_delete)
    done.embedded, done.rewritten, done.deleted = len(to_embed), len(to_rewrite), len(to_delete)
    written = {chunk.id for chunk in (*to_embed, *to_rewrite)}
    done.settled = _settle(store, catalogue, _Settlement(record, texts, written, is_lacking=bool(done.left)))
    return done


def _adopt(
    store: ChunkStore,
    catalogue: DocumentCatalogue,
    faulty: DocumentFaults,
    models: CollectionModels,
    embed: Embed,
) -> Repairs:
    """Enter a document that the catalogue has lost, then mend it like any other."""
    sound = store.get([point.point_id for point in faulty.points if point.payload_hash])
    chunks = recover_chunks(faulty.document_id, sound) if faulty.document_id else []
    if not chunks:
        return Repairs(left=1)
    (record,) = with_checksums(store, [recover_record(faulty.document_id, chunks)])
    catalogue.put([record], {record.document_id: chunks})
    catalogue.mark_recovered(record.document_id)
    faults = tuple(document_faults(record, faulty.points, lambda: chunks))
    done = repair(store, catalogue, replace(faulty, record=record, faults=faults), models, embed)
    done.settled += 1
    return done


_KINDS = _TO_EMBED | _TO_REWRITE | _TO_DELETE


def _right(chunk: SemanticChunk, models: CollectionModels) -> SemanticChunk:
    model = model_name(models)
    if is_embed_hash(chunk.embed_hash, chunk.embed_text, model):
        return chunk
    return replace(chunk, embed_hash=embed_hash(chunk.embed_text, model))


@dataclass(frozen=True, slots=True)
class _Settlement:
    """A record, the texts of its chunks by id, which of them were written, and whether some still lack."""

    record: DocumentRecord
    texts: Mapping[str, SemanticChunk]
    written: Collection[str]
    is_lacking: bool

    def chunk_records(self) -> Iterator[ChunkRecord]:
        """Of the chunks as they are now; the written ones have no checksum yet."""
        for known in self.record.chunks:
            fresh = ChunkRecord.of(self.texts[known.id]) if known.id in self.texts else known
            yield fresh._replace(checksum="" if known.id in self.written else known.checksum)


def _settle(store: ChunkStore, catalogue: DocumentCatalogue, settlement: _Settlement) -> int:
    """Bring the record in step with what is stored now; how many records say something else than before."""
    record, texts = settlement.record, settlement.texts
    if not record.chunks and not settlement.is_lacking:
        store.flush()
        catalogue.remove([record.document_id])
        return 1
    settled = replace(record, chunks=tuple(settlement.chunk_records()), is_unfinished=False)
    if settlement.is_lacking or record.is_unfinished:
        settled = replace(settled, page_hash="", etag="", last_modified="")
    (settled,) = with_checksums(store, [settled])
    if settled == record:
        return 0
    store.flush()
    catalogue.put(
        [settled], {record.document_id: [texts[known.id] for known in settled.chunks if known.id in texts]}
    )
    return int(without_checksums(settled) != without_checksums(record))
