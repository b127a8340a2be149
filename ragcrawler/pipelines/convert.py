"""Page in, document out."""

from ragcrawler.bootstrap.preparation import Prepared
from ragcrawler.catalogue import CatalogueError
from ragcrawler.conversion import ConversionError
from ragcrawler.items import Document, Page
from ragcrawler.pipelines.stage import Stage
from ragcrawler.run.losses import SHUTDOWN, UNCHANGED, PageLost, PageSkipped
from ragcrawler.stores import StoreError

# Nothing is lost with a page that has no text, or of a kind that nobody reads.
_NO_LOSS = {"empty", "unsupported_type"}


class ConvertPipeline(Stage):
    """Has a worker process turn pages into Markdown; what a spider yields as a document passes through.

    The worker cuts the document into chunks in the same call, so that it crosses the process border once.
    """

    name = "convert"

    async def process_item(self, item: Page | Document) -> Document:
        """Convert a page.

        Raises:
            PageSkipped: it is as it was, has no text or that of a page before, or the crawl was interrupted.
            PageLost: it cannot be converted.
        """
        if isinstance(item, Document):
            return await self._original(item)
        await self._refuse_unchanged(item)
        prepared = await self._convert(item)
        document = await self._original(prepared.document)
        self.count_validation(prepared.validation)
        if not self.run.orders.is_dry:
            await self.workshop.save_pictures(document.id, prepared.pictures)
        self._count(document)
        return document

    async def _refuse_unchanged(self, page: Page) -> None:
        """What is stored just as it came now needs no work; its links were followed."""
        collection = self.workshop.collection
        try:
            record = await collection.unchanged(page, self.workshop.preparation)
            if record is None:
                return
            await collection.saw(page.id, self.run.id, etag=page.etag, last_modified=page.last_modified)
        except (StoreError, CatalogueError) as error:
            raise PageLost("store_error", self.name, error) from error
        self.count("documents/unchanged")
        self.count("documents/unchanged_chunks", len(record.chunks))
        self.run.duplicates.confirm(record)
        raise PageSkipped(UNCHANGED, f"{record.url} is as it was")

    async def _original(self, document: Document) -> Document:
        """The document, unless its text is stored already."""
        try:
            admitted = await self.run.duplicates.admit(document)
        except CatalogueError as error:
            raise PageLost("store_error", self.name, error) from error
        if isinstance(admitted, Document):
            return admitted
        raise PageSkipped(admitted.reason, f"{document.url} has the text of {admitted.url}")

    def _count(self, document: Document) -> None:
        self.count("convert/documents")
        self.count(f"convert/by/{document.metadata.converter}")
        self.count("convert/hidden_characters", document.metadata.hidden_characters)
        self.count("convert/suspicious", len(document.metadata.suspicious))
        if document.metadata.converter == "pdf-text-layer":
            self.run.warn(
                "PDFs are read by their text layer: set DOCLING_ARTIFACTS_PATH for docling's models",
                document.url,
            )
        for warning in document.metadata.warnings:
            self.run.warn(warning, document.url)

    async def _convert(self, page: Page) -> Prepared:
        self.refuse_when_stopped()
        try:
            prepared = await self.workshop.prepare(page)
        except ConversionError as error:
            if error.reason in _NO_LOSS:
                raise PageSkipped(error.reason, str(error)) from error
            raise PageLost(error.reason, self.name, error) from error
        except Exception as error:
            raise PageLost("conversion_error", self.name, error) from error
        if prepared is None:
            raise PageSkipped(SHUTDOWN)
        return prepared
