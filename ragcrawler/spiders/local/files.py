"""`scrapy crawl files -a path=docs/`: a folder of documents instead of a website."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Mapping
from typing import Self

from scrapy.crawler import Crawler

from ragcrawler.conversion.convert import AS_PLAIN_TEXT
from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.items import Page, PageFile
from ragcrawler.run.reporting.stat_rows import OTHER_ENDINGS, UNREAD_FILES
from ragcrawler.sources.documents import FolderDocuments, read_folder
from ragcrawler.sources.folder import extension, media_type, read_file, source_url
from ragcrawler.spiders.local.files_arguments import FILES_ARGUMENTS, FilesArguments
from ragcrawler.spiders.local.local_spider import LocalSpider
from ragcrawler.urls.identity import document_id

logger = logging.getLogger(__name__)

_OK = 200
# What stands behind the dot of a hostile name shall not fill the report.
_PLAIN = re.compile(r"[a-z0-9_+-]{1,16}")


class FilesSpider(LocalSpider):
    """Yields a `Page` for each document of a folder, in the order of its navigation."""

    name = "files"
    argument_table = FILES_ARGUMENTS

    def __init__(self, crawler: Crawler, arguments: FilesArguments) -> None:
        super().__init__(crawler, arguments.options)
        self.arguments = arguments

    @classmethod
    def check_arguments(cls, arguments: dict[str, str], _settings: Mapping[str, object]) -> None:
        """Refuse wrong arguments before anything is read.

        Raises:
            ValueError: says which argument, its value, and what would be right.
        """
        FilesArguments.parse(arguments)

    @classmethod
    def open(cls, crawler: Crawler, arguments: Mapping[str, str]) -> Self:
        return cls(crawler, FilesArguments.parse(arguments))

    async def start(self) -> AsyncIterator[Page]:
        """Look through the folder, then yield its pages one by one."""
        documents = await asyncio.to_thread(read_folder, self.arguments.root, self.arguments.as_text)
        for file in self._entered(documents):
            page = await self._page(file)
            if page is not None:
                yield await self.ready(page)

    def _entered(self, documents: FolderDocuments) -> list[PageFile]:
        """Enter every file into the ledger; those to read."""
        for warning in documents.warnings:
            logger.warning("%s", warning)
        for omission in documents.left_out:
            self.skip(self._url(omission.path), omission.reason)
            if omission.reason == "unsupported_type":
                ending = extension(omission.path)
                name = ending if _PLAIN.fullmatch(ending) else OTHER_ENDINGS
                self.crawler.stats.inc_value(f"ragcrawler/{UNREAD_FILES}{name}")
        for omission in documents.unread:
            # What cannot be listed may hide files: "fetch" keeps them from being taken for gone.
            self.lose(self._url(omission.path), "fetch", omission.reason, omission.message)
        wanted = []
        for file in documents.files:
            if refusal := self.arguments.rules.refusal(Candidate(file.path)):
                self.skip(self._url(file.path), refusal)
            elif not self.refuses(self._url(file.path)):
                self.enter(self._url(file.path))
                wanted.append(file)
        return wanted

    async def _page(self, file: PageFile) -> Page | None:
        """The page of a file; None where it cannot be read, which costs this file alone."""
        url = self._url(file.path)
        try:
            file.path.encode()
            body = await asyncio.to_thread(read_file, self.arguments.root, file.path, self.max_bytes)
        except UnicodeEncodeError:
            self.lose(url, "read", "unreadable", "its name is no UTF-8")
            return None
        except OSError as error:
            self.lose(url, "read", "unreadable", error)
            return None
        is_as_text = extension(file.path) in self.arguments.as_text
        if len(body) > self.max_bytes:
            self.lose(url, "read", "too_large", f"it has more than {self.max_bytes} bytes")
            return None
        return Page(
            id=document_id(url),
            url=url,
            final_url=url,
            body=body,
            content_type=AS_PLAIN_TEXT if is_as_text else media_type(file.path),
            status=_OK,
            fetched_at=self.fetched_at,
            file=file,
        )

    def _url(self, path: str) -> str:
        return source_url(path, self.arguments.base_url)
