"""Leaves a site alone that keeps failing, and gives it up when that does not help."""

import logging

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response
from twisted.internet.defer import CancelledError

from ragcrawler.frontier.hosts.site_health import HealthVerdict
from ragcrawler.middlewares.proxies.ban_detection import PROXY
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.outcomes import NoProxiesError, RequestRefused, SiteDeferred

logger = logging.getLogger(__name__)

_FIRST_ERROR_OF_A_SERVER = 500
_TOO_MANY_REQUESTS = 429
_NO_FAULT_OF_THE_SITE = (IgnoreRequest, CancelledError, DownloadCancelledError, NoProxiesError)


class SiteHealthMiddleware:
    """Close to the downloader: it sees every attempt, before it is tried again.

    Failures that come while a site is held are those of requests from before, and count for nothing; nor do
    those of requests through rotating proxies, which may be the proxies'.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        frontier = frontier_of(crawler)
        self._throttle = frontier.throttle
        self._health = frontier.health

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "SiteHealthMiddleware":
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Let the request pass, unless its site was given up.

        Raises:
            RequestRefused: it was.
        """
        site = self._site(request)
        if self._throttle.is_given_up(site):
            raise RequestRefused("site_gave_up", f"{site} kept failing")

    def process_response(self, request: Request, response: Response) -> Response:
        """Note how the site does."""
        if response.status >= _FIRST_ERROR_OF_A_SERVER or response.status == _TOO_MANY_REQUESTS:
            self._count_failure(request, f"HTTP {response.status}")
        else:
            self._health.record_success(self._site(request))
        return response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Likewise; a request that waited for its site goes back to the queue."""
        if isinstance(exception, SiteDeferred):
            return request.replace(dont_filter=True)
        if not isinstance(exception, _NO_FAULT_OF_THE_SITE):
            self._count_failure(request, type(exception).__name__)
        return None

    def _count_failure(self, request: Request, what: str) -> None:
        site = self._site(request)
        if PROXY in request.meta or self._throttle.held_seconds(site) or self._throttle.is_given_up(site):
            return
        verdict = self._health.record_failure(site)
        if verdict is HealthVerdict.PAUSE:
            seconds = self._health.pause_seconds(site)
            self._crawler.stats.inc_value("ragcrawler/sites/paused")
            logger.warning("%s keeps failing (%s): left alone for %.0f s", site, what, seconds)
            self._throttle.hold(site, seconds)
        elif verdict is HealthVerdict.GIVE_UP:
            self._crawler.stats.inc_value("ragcrawler/sites/given_up")
            logger.error("%s keeps failing (%s) in spite of all pauses: it is given up", site, what)
            self._throttle.give_up(site)

    def _site(self, request: Request) -> str:
        return str(self._crawler.engine.downloader.get_slot_key(request))
