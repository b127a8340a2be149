"""A stored document in, the same document out: a research has read it."""

from typing import Any

from ragcrawler.items import Document
from ragcrawler.pipelines.stage import Stage


class ResearchPipeline(Stage):
    """Hands each document to the spider that researches, which switches this pipeline on.

    A page that is as it was when it was stored is read as well: another research may have stored it.
    """

    name = "research"

    async def process_item(self, item: Any) -> Any:
        """Have it read."""
        spider: Any = self.crawler.spider
        if isinstance(item, Document):
            self.refuse_when_stopped()
            await spider.read_document(item)
            await spider.settle()
        return item
