"""The crawl's downloader, as a browser's network."""

from collections.abc import Mapping

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from ragcrawler.middlewares.javascript.browser.errors import RenderError
from ragcrawler.middlewares.javascript.browser.static_page import (
    ResourceRequest,
    ResourceResponse,
    StaticPage,
)
from ragcrawler.run.meta_keys import PAGE_RESOURCE
from ragcrawler.run.outcomes import RequestRefused

# Of the transfer that is over; a name for the file would make the browser save it; hints only make it ask.
_NOT_PASSED = {
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "connection",
    "set-cookie",
    "content-disposition",
    "link",
}
# A page waits for it: what does not come at once is done without.
_META = {"dont_retry": True}


class Downloads:
    """Asks what a page's scripts ask; all middlewares of the crawl have their say."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    async def ask(self, question: ResourceRequest) -> ResourceResponse:
        """Download.

        Raises:
            RenderError: it is refused, or does not come.
        """
        if self._crawler.engine is None or not self._crawler.crawling:
            raise RenderError("shutdown")
        request = Request(
            question.url,
            method=question.method,
            headers=dict(question.headers),
            body=question.body,
            callback=NO_CALLBACK,
            dont_filter=True,
            meta={**_META, PAGE_RESOURCE: question.page_url},
        )
        try:
            response = await self._crawler.engine.download_async(request)
        except RequestRefused as error:
            raise RenderError(error.reason) from error
        except IgnoreRequest as error:
            raise RenderError("robots") from error
        except DownloadCancelledError as error:
            raise RenderError("too_large") from error
        except Exception as error:
            raise RenderError("not_downloaded", f"{type(error).__name__}: {error}") from error
        return ResourceResponse(response.status, _passed(response), response.body)


def static_page(response: Response) -> StaticPage:
    """The page that a browser is to show."""
    return StaticPage(response.url, _passed(response), response.body)


def _passed(response: Response) -> Mapping[str, str]:
    named = {name.decode("latin-1").lower(): values for name, values in response.headers.items()}
    return {
        name: b", ".join(values).decode("latin-1")
        for name, values in named.items()
        if name not in _NOT_PASSED
    }
