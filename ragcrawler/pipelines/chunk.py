"""Document in, document with chunks out."""

from ragcrawler.catalogue import CatalogueError
from ragcrawler.conversion import ConversionError
from ragcrawler.items import Document
from ragcrawler.pipelines.stage import Stage
from ragcrawler.run.outcomes import PageFailed, PageSkipped


class ChunkPipeline(Stage):
    """Cuts documents that come without chunks, and counts the chunks of all."""

    name = "chunk"

    async def work(self, document: Document) -> Document:
        """Give the document its chunks.

        Raises:
            PageSkipped: it has no text to cut, or the crawl was interrupted.
            PageFailed: it could not be cut.
        """
        if not document.chunks:
            document = await self._chunk(document)
        if not document.chunks:
            raise PageSkipped("empty", f"{document.url} has no text")
        self.count("chunk/chunks", len(document.chunks))
        self.count("chunk/tokens", sum(chunk.token_count for chunk in document.chunks))
        return document

    async def _chunk(self, document: Document) -> Document:
        self.refuse_when_stopped()
        try:
            shared = await self.resources.site_blocks.of(document.id, document.url)
            prepared = await self.resources.chunk(document, shared)
        except ConversionError as error:
            raise PageFailed(error.reason, self.name, error) from error
        except CatalogueError as error:
            raise PageFailed("store_error", self.name, error) from error
        except Exception as error:
            raise PageFailed("chunk_error", self.name, error) from error
        self.count_validation(prepared.validation)
        return prepared.document
