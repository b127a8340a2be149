"""`scrapy crawl firecrawl -a path=export.json`: what FireCrawl fetched, through our pipelines."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from ragcrawler.config.models.chunking import AUTO
from ragcrawler.items import Document, Page, PageClaims
from ragcrawler.sources.firecrawl.boilerplate import SiteBoilerplate
from ragcrawler.sources.firecrawl.chunk_file import ChunkFile
from ragcrawler.sources.firecrawl.export import Export, FireCrawlExportError
from ragcrawler.sources.firecrawl.record import ExportedPage, RecordError, read_record
from ragcrawler.spiders.local.firecrawl_arguments import FIRECRAWL_ARGUMENTS, FireCrawlArguments
from ragcrawler.spiders.local.local_spider import LocalSpider
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.identity import cited_url, document_id

_END = object()


class FireCrawlSpider(LocalSpider):
    """Reads an export twice: first for what its pages have in common, then page by page."""

    name = "firecrawl"
    argument_table = FIRECRAWL_ARGUMENTS

    def __init__(self, crawler: Crawler, arguments: FireCrawlArguments) -> None:
        super().__init__(crawler, arguments.options)
        self.arguments = arguments
        self.export = Export(arguments.path)
        self.boilerplate = SiteBoilerplate()
        self._places: dict[str, int] = {}  # of the pages that are in the pipelines
        self.output = ChunkFile(arguments.output, arguments.shape) if arguments.output else None
        crawler.signals.connect(self.write, signal=signals.item_scraped)
        crawler.signals.connect(self.end_output, signal=signals.spider_closed)

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Cut as specification 003 does, unless a profile is set."""
        super().update_settings(settings)
        if settings.get("CHUNK_PROFILE") == AUTO:
            settings.set("CHUNK_PROFILE", "firecrawl", priority="spider")

    @classmethod
    def check_arguments(cls, arguments: dict[str, str], _settings: Mapping[str, object]) -> None:
        """Refuse wrong arguments before anything is read.

        Raises:
            ValueError: says which argument, its value, and what would be right.
        """
        FireCrawlArguments.parse(arguments)

    @classmethod
    def open(cls, crawler: Crawler, arguments: Mapping[str, str]) -> Self:
        return cls(crawler, FireCrawlArguments.parse(arguments))

    async def start(self) -> AsyncIterator[Page]:
        """Learn the frame of the pages, then yield them one by one."""
        await asyncio.to_thread(self._learn)
        records = self.export.read()
        index = -1
        while True:
            index += 1
            try:
                record = await asyncio.to_thread(next, records, _END)
            except (FireCrawlExportError, OSError) as error:
                self.lose(self._place(index), "fetch", "cut_export", error)
                return
            if record is _END:
                return
            page = self._page(record, index)
            if page is not None:
                self._places[page.final_url] = index
                yield await self.ready(page)

    def write(self, item: object) -> None:
        """Put the chunks of a document into the file that was asked for."""
        if self.output is not None and isinstance(item, Document):
            self.output.add(item, self._places.pop(item.url, -1))

    def end_output(self, reason: str) -> None:
        """Finish that file; after a run that was stopped, the one that was there stays."""
        if self.output is not None and reason == "finished":
            self.output.close()
        elif self.output is not None:
            self.output.discard()

    def _learn(self) -> None:
        with suppress(
            FireCrawlExportError, OSError
        ):  # the second reading comes to the same place, and says so
            for page in _readable(self.export.read()):
                if not page.is_html:
                    self.boilerplate.learn(page.text)
        self.expected_pages = self.export.records

    def _page(self, record: Any, index: int) -> Page | None:
        """The page of a record; None where it is broken or left out."""
        try:
            exported = read_record(record)
            url = canonical_url(exported.source_url)
            if exported.is_error:
                self.skip(url, f"http_{exported.status}")
                return None
            text = self._text(exported)
        except (RecordError, UrlError) as error:
            self.lose(self._place(index), "read", "broken_record", f"record {index}: {error}")
            return None
        cited = cited_url(url)
        if self.refuses(cited):
            return None
        if not self.enter(cited):
            self.skip(self._place(index), "listed_twice")
            return None
        return self._made(exported, url, text)

    def _text(self, exported: ExportedPage) -> str:
        """The text of a page without the frame.

        Raises:
            RecordError: it has no other.
        """
        text = exported.text if exported.is_html else self.boilerplate.strip(exported.text)
        if not text:
            raise RecordError("it has nothing but what the other pages have too")
        return text

    def _made(self, exported: ExportedPage, url: str, text: str) -> Page:
        media_type = "text/html" if exported.is_html else "text/markdown"
        return Page(
            id=document_id(url),
            url=url,
            final_url=cited_url(url),
            body=text.encode("utf-8", "replace"),
            content_type=f"{media_type}; charset=utf-8",
            status=exported.status,
            fetched_at=self.export.fetched_at or self.fetched_at,
            claims=PageClaims(exported.title, exported.description, exported.language),
        )

    def _place(self, index: int) -> str:
        """A record by its number, for one that has no address."""
        return f"{self.arguments.path.name}#{index}"


def _readable(records: Iterator[Any]) -> Iterator[ExportedPage]:
    """Those that are pages; the others are reported when they are yielded."""
    for record in records:
        try:
            yield read_record(record)
        except RecordError:
            continue
