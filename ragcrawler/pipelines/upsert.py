"""Chunks with vectors in; the store in step with the document."""

from ragcrawler.items import Document
from ragcrawler.pipelines.embedded import Embedded
from ragcrawler.pipelines.stage import Stage
from ragcrawler.run.losses import SHUTDOWN, PageLost, PageSkipped
from ragcrawler.run.synchronise import Synchronised
from ragcrawler.stores import StoreError


class UpsertPipeline(Stage):
    """Writes a document's chunks and removes those that it no longer has."""

    name = "upsert"

    async def process_item(self, item: Embedded) -> Document:
        """Store what can be stored.

        Raises:
            PageSkipped: a part of the document is missing because the crawl was interrupted.
            PageLost: a part could not be embedded, or nothing could be written.
        """
        document = item.document
        stale = () if item.missing else await self._stale(document)
        try:
            written = await self.workshop.write(Synchronised(document.id, document.chunks, stale))
        except StoreError as error:
            self.count("upsert/lost", len(document.chunks))
            raise PageLost("store_error", self.name, error) from error
        self.count("upsert/points", written)
        self.count("upsert/removed", len(stale))
        if item.error is not None:
            raise PageLost("embed_error", "embed", item.error) from item.error
        if item.missing:
            raise PageSkipped(SHUTDOWN, f"{item.missing} chunks of {document.url} are still to be made")
        return document

    async def _stale(self, document: Document) -> tuple[str, ...]:
        kept = {chunk.id for chunk in document.chunks}
        return tuple(chunk_id for chunk_id in await self.workshop.known(document.id) if chunk_id not in kept)
