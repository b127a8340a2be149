"""Document with chunks in, document with summarised chunks out."""

from typing import TYPE_CHECKING

from ragcrawler.items import Document
from ragcrawler.pipelines.stage import Stage
from ragcrawler.run.outcomes import SHUTDOWN, PageSkipped

if TYPE_CHECKING:
    from ragcrawler.run.summaries.summarizer import Summarised


class SummarizePipeline(Stage):
    """Has a language model summarise each chunk, where SUMMARIZE says so.

    A chunk whose summary fails, or is over the budget, goes on without; the next crawl asks again.
    """

    name = "summarize"

    async def work(self, document: Document) -> Document:
        """Give the chunks their summaries.

        Raises:
            PageSkipped: the crawl was interrupted.
        """
        summarizer = self.resources.summarizer
        if summarizer is None:
            return document
        self.refuse_when_stopped()
        self.count("summarize/chunks", len(document.chunks))
        done = await self.resources.summarise(document, summarizer)
        if done is None:
            raise PageSkipped(SHUTDOWN)
        self._count(done)
        return done.document

    def _count(self, done: "Summarised") -> None:
        self.count("summarize/made", done.made)
        self.count("summarize/known", done.known)
        self.count("summarize/failed", done.failed)
        self.count("summarize/missing", done.missing)
        self.count("summarize/input_tokens", done.usage.input_tokens)
        self.count("summarize/cached_input_tokens", done.usage.cached_input_tokens)
        self.count("summarize/output_tokens", done.usage.output_tokens)
        self.count("summarize/micro_dollars", done.micro_dollars)
        for error in done.errors:
            self.run.warn(f"a passage is stored without a summary: {error}", done.document.url)
