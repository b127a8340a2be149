"""Chunks with vectors in; store and catalogue in step with the document."""

import logging
from dataclasses import replace

from ragcrawler.catalogue import CatalogueError, DocumentRecord, site_of
from ragcrawler.frontier.filters.kept_out import KEPT_OUT
from ragcrawler.items import Document, DocumentState
from ragcrawler.pipelines.embedded import Embedded
from ragcrawler.pipelines.stage import Stage
from ragcrawler.run.indexing.synchronise import DocumentWrite, WriteResult
from ragcrawler.run.outcomes import DISK_FULL, LEASE_LOST, SHUTDOWN, PageFailed, PageSkipped
from ragcrawler.stores import DiskFullError, StoreError

logger = logging.getLogger(__name__)


class UpsertPipeline(Stage):
    """Writes what changed of a document, and removes what it no longer has."""

    name = "upsert"
    takes = Embedded

    async def work(self, item: Embedded) -> Document:
        """Store what can be stored.

        Raises:
            PageSkipped: it is kept out since it was read, or a part of it is missing because the crawl was
                interrupted.
            PageFailed: a part could not be embedded, or not be written.
        """
        document = item.document
        self.refuse_when_lost(document.url)
        work = DocumentWrite(self._record(document), document.chunks, item.lost, document)
        try:
            done = await self.resources.collection.write(work)
        except (StoreError, CatalogueError) as error:
            self.count("upsert/lost", len(document.chunks) - len(item.lost))
            reason = DISK_FULL if isinstance(error, DiskFullError) else "store_error"
            raise PageFailed(reason, self.name, error) from error
        if done.is_lost:
            raise PageSkipped(LEASE_LOST, f"{document.url} is another worker's by now")
        if done.is_kept_out:
            self.count("upsert/lost", len(document.chunks) - len(item.lost))
            raise PageSkipped(KEPT_OUT, f"{document.url} is kept out of the collection since it was read")
        state = self._state(done)
        self._count(done)
        self._log(document, done)
        if item.error is not None:
            reason = getattr(item.error, "reason", "embed_error")
            raise PageFailed(reason, "embed", item.error) from item.error
        for refusal in done.refused.values():
            raise PageFailed("chunk_refused", self.name, refusal) from refusal
        if item.lost:
            raise PageSkipped(SHUTDOWN, f"{len(item.lost)} chunks of {document.url} are still to be made")
        self.count(f"documents/{'same_text' if state == 'unchanged' else state}")
        return replace(document, state=state)

    def _record(self, document: Document) -> DocumentRecord:
        writer = self.run.writer_of(document.url)
        return DocumentRecord(
            document_id=document.id,
            url=document.url,
            site=site_of(document.url),
            page_hash=document.page_hash,
            content_hash=document.content_hash,
            near_hash=document.near_hash,
            preparation=self._preparation(document),
            etag=document.etag,
            last_modified=document.last_modified,
            fetched_at=document.fetched_at,
            first_seen=self.run.id,
            last_seen=self.run.id,
            crawl=writer.crawl,
            lease=writer.number,
        )

    def _preparation(self, document: Document) -> str:
        """The fingerprint of the preparation; "" where summaries are missing, to prepare it anew."""
        is_summarised = all(chunk.summary for chunk in document.chunks)
        return self.resources.preparation if is_summarised or self.resources.summarizer is None else ""

    def _count(self, done: WriteResult) -> None:
        self.count("upsert/points", done.new + done.updated + done.unchanged)
        self.count("upsert/new", done.new)
        self.count("upsert/updated", done.updated)
        self.count("upsert/unchanged", done.unchanged)
        self.count("upsert/removed", done.removed)
        self.count("upsert/lost", len(done.refused))

    def _state(self, done: WriteResult) -> DocumentState:
        """What a run of this crawl stored before it broke is new to the crawl."""
        if not done.is_known or done.first_seen in self.run.earlier_runs:
            return "new"
        return "changed" if done.new or done.updated or done.removed or done.refused else "unchanged"

    def _log(self, document: Document, done: WriteResult) -> None:
        """A page that changed is news; a first crawl would be nothing but such lines."""
        is_news = (done.is_known or self.run.options.is_dry) and bool(
            done.new or done.updated or done.removed
        )
        logger.log(
            logging.INFO if is_news else logging.DEBUG,
            "%s: chunks new %d, updated %d, unchanged %d, removed %d",
            document.url,
            done.new,
            done.updated,
            done.unchanged,
            done.removed,
        )
