"""Page in, document out."""

import logging
from dataclasses import replace
from typing import Any

from ragcrawler.bootstrap.preparation import Prepared
from ragcrawler.catalogue import CatalogueError, DocumentCatalogue
from ragcrawler.conversion import ConversionError
from ragcrawler.frontier.filters.kept_out import KEPT_OUT
from ragcrawler.items import Document, FoundUrl, Page
from ragcrawler.pipelines.stage import Stage
from ragcrawler.run.outcomes import SHUTDOWN, UNCHANGED, PageFailed, PageSkipped
from ragcrawler.run.pages.foreign_items import page_of_item
from ragcrawler.run.pages.rendered_page import RenderedPage
from ragcrawler.run.reporting.stat_rows import quality_band
from ragcrawler.stores import StoreError
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.identity import exact_document_id, is_same_page

logger = logging.getLogger(__name__)
# Nothing is lost with a page that has no text, or of a kind that cannot be read.
_NO_LOSS = {"empty", "unsupported_type"}


class ConvertPipeline(Stage):
    """Has a worker process turn pages into Markdown; what a spider yields as a document passes through.

    The worker cuts the document into chunks in the same call, so that it crosses the process border once.
    """

    name = "convert"

    async def process_item(self, item: Any) -> Any:
        """Convert what is a page; an item of another kind goes on untouched.

        Raises:
            PageSkipped: it has no text or that of a page before, the crawl was interrupted, or it is as it
                was and the feeds hold changes alone.
            PageFailed: it cannot be converted.
        """
        if isinstance(item, FoundUrl):
            return item
        own = item if isinstance(item, Page | Document) else self._page_of(item)
        return item if own is None else await self.count_for(own)

    async def work(self, item: Page | Document) -> Document:
        """Convert a page, or bring its document from the catalogue."""
        if isinstance(item, Document):
            await self._refuse_kept_out(item.url, item.content_hash)
            return await self._original(item)
        self.refuse_when_lost(item.final_url)
        await self._refuse_kept_out(item.final_url)
        page = await self._with_stored_id(item)
        unchanged = await self._unchanged(page)
        if unchanged is not None:
            return unchanged
        prepared = await self._converted(page)
        await self._refuse_kept_out(page.final_url, prepared.document.content_hash)
        document = await self._original(prepared.document)
        self.count_validation(prepared.validation)
        self.count("convert/shared_characters", prepared.shared_characters)
        if not self.run.options.is_dry:
            await self.resources.pictures.save(document.id, prepared.pictures)
        self._count(document)
        return document

    async def _refuse_kept_out(self, url: str, content_hash: str = "") -> None:
        """Skip what the collection keeps out, by its address or its text; any spider may have brought it."""
        try:
            kept_out = await self.resources.collection.kept_out()
        except CatalogueError as error:
            raise PageFailed("store_error", self.name, error) from error
        if kept_out.covers(url) or kept_out.covers_text(content_hash):
            raise PageSkipped(KEPT_OUT, f"{url} is kept out of the collection")

    async def _with_stored_id(self, page: Page) -> Page:
        try:
            return await self.resources.collection.with_catalogue(
                lambda catalogue: with_stored_id(catalogue, page)
            )
        except CatalogueError as error:
            raise PageFailed("store_error", self.name, error) from error

    def _page_of(self, item: object) -> Page | None:
        """The page that an item of another project is; None where it is none."""
        try:
            page = page_of_item(item)
        except UrlError as error:
            self.count("foreign/unusable")
            self.run.warn(f"an item with a text has no address of the web, and is not indexed: {error}", "")
            return None
        self.count("foreign/items" if page is None else "foreign/pages")
        return page

    async def _unchanged(self, page: Page) -> Document | None:
        """Skip a page that is stored unchanged; its links were followed."""
        collection = self.resources.collection
        try:
            record = await collection.find_unchanged(page, self.resources.preparation)
            # What a run of this crawl stored before it broke is counted now, like any page of the crawl.
            if record is None or record.last_seen in self.run.earlier_runs:
                return None
            is_seen = await collection.mark_seen(
                record,
                self.run.id,
                etag=page.etag,
                last_modified=page.last_modified,
                writer=self.run.writer_of(page.final_url),
            )
            if not is_seen:
                return None
            document = await collection.document(page.id) if self.run.configuration.feeds_unchanged else None
        except (StoreError, CatalogueError) as error:
            raise PageFailed("store_error", self.name, error) from error
        self.count("documents/unchanged")
        self.count("documents/unchanged_chunks", len(record.chunks))
        if document is None:
            raise PageSkipped(UNCHANGED, f"{record.url} is as it was")
        self.run.skip(page.final_url, UNCHANGED)
        return replace(document, state="unchanged")

    async def _original(self, document: Document) -> Document:
        """The document, unless its text is stored already."""
        self.refuse_when_lost(document.url)
        try:
            admitted = await self.run.duplicates.admit(document)
        except CatalogueError as error:
            raise PageFailed("store_error", self.name, error) from error
        if isinstance(admitted, Document):
            return admitted
        raise PageSkipped(admitted.reason, f"{document.url} has the text of {admitted.url}")

    def _count(self, document: Document) -> None:
        self.count("convert/documents")
        self.count(f"convert/by/{document.metadata.converter}")
        if document.metadata.quality is not None:
            self.count(f"convert/kinds/{document.metadata.kind or 'unsure'}")
            self.count(f"convert/quality/{quality_band(document.metadata.quality)}")
        self.count("convert/hidden_characters", document.metadata.hidden_characters)
        self.count("convert/duplicate_words", document.metadata.duplicate_words)
        self.count("convert/suspicious", len(document.metadata.suspicious))
        for kind in document.metadata.cut:
            self.count(f"convert/cut/{kind}")
        if document.metadata.converter == "pdf-text-layer":
            self.run.warn(
                "PDFs are read by their text layer: set DOCLING_ARTIFACTS_PATH for docling's models",
                document.url,
            )
        self.count("convert/warnings", len(document.metadata.warnings))
        for warning in document.metadata.warnings:
            self.run.warn(warning, document.url)

    async def _converted(self, page: Page) -> Prepared:
        """The page's conversion, or that of its rendering where a browser has more of it."""
        first: Prepared | PageSkipped
        try:
            first = await self._convert(page)
        except PageSkipped as skipped:
            if skipped.reason != "empty":
                raise
            first = skipped
        rendered = await self.run.render_weak(page, _quality(first))
        best = first if rendered is None else await self._better(first, rendered)
        if isinstance(best, PageSkipped):
            raise best
        return best

    async def _better(self, first: Prepared | PageSkipped, rendered: RenderedPage) -> Prepared | PageSkipped:
        second: Prepared | PageSkipped | None = None
        try:
            if not rendered.links.robots.noindex:
                second = await self._convert(rendered.page)
        except (PageSkipped, PageFailed) as error:
            logger.debug("%s is kept as it was sent: %s", rendered.page.final_url, error)
        gained = second is not None and _quality(second) > _quality(first)
        self.run.end_weak(rendered, gained=gained)
        return second if gained and second is not None else first

    async def _convert(self, page: Page) -> Prepared:
        self.refuse_when_stopped()
        try:
            shared = (
                await self.resources.site_blocks.of(page.id, page.final_url)
                if page.file is None
                else frozenset()
            )
            prepared = await self.resources.prepare(replace(page, shared_blocks=shared))
        except ConversionError as error:
            if error.reason in _NO_LOSS:
                raise PageSkipped(error.reason, str(error)) from error
            raise PageFailed(error.reason, self.name, error) from error
        except CatalogueError as error:
            raise PageFailed("store_error", self.name, error) from error
        except Exception as error:
            raise PageFailed("conversion_error", self.name, error) from error
        if prepared is None:
            raise PageSkipped(SHUTDOWN)
        return prepared


def _quality(outcome: Prepared | PageSkipped) -> float:
    """How likely the content was found: 0 for a page without a text, 1 for what is no HTML."""
    if isinstance(outcome, PageSkipped):
        return 0.0
    quality = outcome.document.metadata.quality
    return 1.0 if quality is None else quality


def with_stored_id(catalogue: DocumentCatalogue, page: Page) -> Page:
    """The page with the id of the document that has its URL: it stays the same in later crawls.

    An id is the hash of a URL's key. Two pages of one key, and pages that had another key before,
    keep the ids under which they were stored. A new page never gets the id of another page's document.
    """
    known = catalogue.by_url(page.final_url)
    if known is not None and known.url == page.final_url:
        return replace(page, id=known.document_id)
    holder = catalogue.get(page.id)
    if holder is not None and not is_same_page(holder.url, page.final_url):
        return replace(page, id=exact_document_id(page.final_url))
    return page
