"""Deletes documents that are gone from the collection, unless they are suspiciously many."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ragcrawler.catalogue import DocumentCatalogue
from ragcrawler.config.crawling.upkeep import UpkeepConfig
from ragcrawler.run.crawl_coverage import CrawlCoverage, missing_documents, site_findings
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.stores import ChunkStore

logger = logging.getLogger(__name__)

_DOCUMENTS_A_DELETION = 64
_WHOLE = 100
_FILES = "files"  # documents of folders have no site


@dataclass(frozen=True, slots=True)
class GoneDocument:
    """A document that a run found gone.

    Attributes:
        document_id: its id.
        url: its canonical URL.
        reason: `http_404`, `noindex`, `unlinked`, ..., or `taken_out` where somebody removed it.
        runs: how many runs in a row found it so, this one included; 0 for what was taken out.
    """

    document_id: str
    url: str
    reason: str
    runs: int


@dataclass(frozen=True, slots=True)
class SiteDeletion:
    """The documents of a site that are gone.

    Attributes:
        site: host, with its port where URLs name one.
        documents: of the site, before.
        waiting: documents that further runs have to confirm.
        due: documents whose chunks go now, or were kept by the brake.
        chunks: points that went with them.
        is_braked: they were kept: too many at once.
    """

    site: str
    documents: int
    waiting: tuple[GoneDocument, ...]
    due: tuple[GoneDocument, ...]
    chunks: int = 0
    is_braked: bool = False

    @property
    def removed(self) -> tuple[str, ...]:
        """Ids of the documents that went, or would go in a dry run."""
        return () if self.is_braked else tuple(document.document_id for document in self.due)


async def delete_gone(
    collection: Collection, coverage: CrawlCoverage, config: UpkeepConfig, *, is_forced: bool
) -> list[SiteDeletion]:
    """Enter what a crawl found gone, and delete what enough crawls did; a dry run only says what it would.

    Args:
        collection: of the crawl.
        coverage: of what it saw.
        config: how many runs have to agree, and how much of a site may go at once.
        is_forced: whether more may go.

    Raises:
        StoreError: the points could not be deleted.
        CatalogueError: the catalogue cannot be read or written.
    """
    found = await collection.with_catalogue(
        lambda catalogue: [
            _judge(catalogue, site, coverage, config, is_dry=collection.is_dry) for site in catalogue.sites()
        ]
    )
    results = []
    for site in found:
        if not (site.waiting or site.due):
            continue
        is_braked = len(site.due) * _WHOLE > config.brake_percent * site.documents and not is_forced
        result = replace(site, is_braked=True) if is_braked else await _delete(collection, site)
        _log(result, config, is_dry=collection.is_dry)
        results.append(result)
    return results


def count_reasons(documents: Sequence[GoneDocument]) -> str:
    """How many documents for which reason, in words."""
    counts = Counter(document.reason for document in documents)
    return ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))


def _judge(
    catalogue: DocumentCatalogue, site: str, coverage: CrawlCoverage, config: UpkeepConfig, *, is_dry: bool
) -> SiteDeletion:
    found = site_findings(catalogue.documents(site), coverage)
    missing = missing_documents(site, found, coverage, lambda *of: _may_be_reached(catalogue, coverage, *of))
    gone = list(_gone(catalogue, missing))
    if not is_dry:
        catalogue.mark_reachable(found.present, coverage.crawl)
        for reason in {document.reason for document in gone}:
            catalogue.mark_missing([each.document_id for each in gone if each.reason == reason], reason)
    return SiteDeletion(
        site=site,
        documents=catalogue.count(site),
        waiting=tuple(document for document in gone if document.runs < config.gone_after),
        due=tuple(document for document in gone if document.runs >= config.gone_after),
    )


def _may_be_reached(
    catalogue: DocumentCatalogue, coverage: CrawlCoverage, document_id: str, crawl: str
) -> bool:
    """Whether such a crawl led to a document, or may have: nobody knows any more which one did."""
    if catalogue.was_reached(document_id, crawl):
        return True
    return coverage.starts_at_domains and catalogue.is_only_recovered(document_id)


def _gone(catalogue: DocumentCatalogue, missing: Mapping[str, str]) -> Iterator[GoneDocument]:
    for document_id, reason in missing.items():
        record = catalogue.get(document_id)
        if record is not None:
            yield GoneDocument(document_id, record.url, reason, record.missing_runs + 1)


async def _delete(collection: Collection, site: SiteDeletion) -> SiteDeletion:
    ids = [document.document_id for document in site.due]
    chunks = 0
    for start in range(0, len(ids), _DOCUMENTS_A_DELETION):
        batch = _Batch(ids[start : start + _DOCUMENTS_A_DELETION], collection.is_dry)
        chunks += await collection.with_store(batch.delete)
    return replace(site, chunks=chunks)


def delete_documents(store: ChunkStore, catalogue: DocumentCatalogue, document_ids: Sequence[str]) -> int:
    """Take documents out of store and catalogue; how many points went.

    The points first, durably: were the record gone and they not, nothing would ever delete them.

    Raises:
        StoreError: the points could not be deleted.
        CatalogueError: the catalogue cannot be written.
    """
    chunk_ids = [each for document_id in document_ids for each in store.embed_hashes(document_id)]
    store.delete(chunk_ids)
    store.flush()
    catalogue.remove(document_ids)
    return len(chunk_ids)


@dataclass(frozen=True, slots=True)
class _Batch:
    document_ids: Sequence[str]
    is_dry: bool

    def delete(self, store: ChunkStore, catalogue: DocumentCatalogue) -> int:
        """How many points went, or would go."""
        if self.is_dry:
            return sum(len(store.embed_hashes(document_id)) for document_id in self.document_ids)
        return delete_documents(store, catalogue, self.document_ids)


def _log(site: SiteDeletion, config: UpkeepConfig, *, is_dry: bool) -> None:
    if site.is_braked:
        logger.error(
            "%s: %d of %d documents are gone (%s), more than the %g %% of DELETE_BRAKE: nothing is deleted. "
            "Look whether the site is as it should be; if it is, crawl again with -a force_delete=1",
            *(
                site.site or _FILES,
                len(site.due),
                site.documents,
                count_reasons(site.due),
                config.brake_percent,
            ),
        )
    elif site.due:
        verb = "would be removed" if is_dry else "removed"
        logger.info(
            "%s: documents %s: %s; chunks: %d",
            site.site or _FILES,
            verb,
            count_reasons(site.due),
            site.chunks,
        )
    if site.waiting:
        logger.info(
            "%s: documents found gone, kept until %d runs agree: %s",
            *(site.site or _FILES, config.gone_after, count_reasons(site.waiting)),
        )
