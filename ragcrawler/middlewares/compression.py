"""Decompresses responses within bounds."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response

from ragcrawler.config.crawling.web_access import WebAccessConfig
from ragcrawler.run.outcomes import DamagedResponseError

_MAX_SIZE = "download_maxsize"
# Text may well shrink to a hundredth, small pages of repeated rows to less.
_FREE_BYTES = 2**20
_MAX_ENCODINGS = 3


class BoundedCompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's own, with a bound that follows from what was sent.

    `DOWNLOAD_MAXSIZE` is a bound for one page. A site that sends a few kilobytes for each 32 MiB that are to
    be decompressed keeps a crawl busy with next to nothing.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._ratio = WebAccessConfig.from_settings(crawler.settings).max_decompression

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BoundedCompressionMiddleware":
        return cls(crawler)

    def process_response(  # type: ignore[override]  # without the argument that Scrapy deprecates
        self, request: Request, response: Response
    ) -> Request | Response:
        """Decompress.

        Raises:
            DownloadCancelledError: it is too much.
            DamagedResponseError: it cannot be decompressed.
        """
        if not response.body:
            return response
        encodings = b",".join(response.headers.getlist("Content-Encoding"))
        if encodings.count(b",") >= _MAX_ENCODINGS:
            raise DownloadCancelledError(f"{response.url} is compressed more than {_MAX_ENCODINGS} times")
        before = request.meta.get(_MAX_SIZE, self._max_size)
        bound = max(_FREE_BYTES, len(response.body) * self._ratio)
        request.meta[_MAX_SIZE] = min(before, bound) if before else bound
        try:
            decompressed: Request | Response = super().process_response(request, response)
        except IgnoreRequest as error:
            raise DownloadCancelledError(
                f"{response.url} is more than {request.meta[_MAX_SIZE]:,} bytes when decompressed: "
                f"see DOWNLOAD_MAXSIZE and DOWNLOAD_MAX_DECOMPRESSION ({self._ratio} times what was sent)"
            ) from error
        except Exception as error:  # each decompressor has errors of its own
            raise DamagedResponseError(f"{response.url} cannot be decompressed: {error}") from error
        finally:
            request.meta[_MAX_SIZE] = before
        return decompressed
