"""Bounds what one site may send in a run."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Response

from ragcrawler.config.crawling.web_access import WebAccessConfig
from ragcrawler.middlewares.public_suffixes import registered_domain
from ragcrawler.run.outcomes import RequestRefused

_MEBIBYTE = 2**20


class SiteBytesMiddleware:
    """Next to the download: counts each response as it was sent, redirects and retries included.

    A site is a registered domain with all its subdomains, of which a site can make up any number. What was
    broken off for its size counts as `DOWNLOAD_MAXSIZE`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._max_bytes = WebAccessConfig.from_settings(crawler.settings).max_site_bytes
        self._broken_off_bytes = crawler.settings.getint("DOWNLOAD_MAXSIZE")
        self._stats = crawler.stats
        self._received: dict[str, int] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "SiteBytesMiddleware":
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let the request pass, unless its site has sent enough.

        Raises:
            RequestRefused: it has.
        """
        site = registered_domain(request.url)
        if 0 < self._max_bytes <= self._received.get(site, 0):
            self._stats.inc_value("ragcrawler/sites/bytes_refused")
            raise RequestRefused(
                "site_too_large", f"{site} has sent SITE_MAX_MEBIBYTES = {self._max_bytes // _MEBIBYTE}"
            )

    def process_response(self, request: Request, response: Response) -> Response:
        """Count its bytes."""
        self._count(request, len(response.body))
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Count what was broken off."""
        if isinstance(exception, DownloadCancelledError):
            self._count(request, self._broken_off_bytes)

    def _count(self, request: Request, received: int) -> None:
        site = registered_domain(request.url)
        self._received[site] = self._received.get(site, 0) + received
