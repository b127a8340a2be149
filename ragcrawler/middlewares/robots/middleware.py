"""Obeys robots.txt (RFC 9309)."""

import asyncio
import logging
import random

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError, DownloadConnectionRefusedError, IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.httpobj import urlparse_cached

from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.middlewares.robots.cache import RobotsAnswer, RobotsCache
from ragcrawler.middlewares.robots.robots_file import RobotsFile
from ragcrawler.run.crawl_frontier import frontier_of
from ragcrawler.run.outcomes import ROBOTS_UNAVAILABLE, RequestRefused
from ragcrawler.services.http_time import max_age_seconds
from ragcrawler.urls.robots.rules import RobotsRules

logger = logging.getLogger(__name__)

_SERVER_ERRORS = 500
_TOO_MANY_REQUESTS = 429
_SUCCESSES = range(200, 300)
_LONGEST_SECONDS = 24 * 3600.0  # RFC 9309, section 2.4
_SHORTEST_SECONDS = 600.0
# No server is there: the page itself would find out no more than its robots.txt did.
_NOBODY_THERE = (DownloadConnectionRefusedError, CannotResolveHostError)


class RobotsMiddleware:
    """Asks each host for its rules before the first page, and once a day.

    While a robots.txt cannot be fetched (no answer, 5xx, 429), no page of its host is requested. The file is
    requested again, later each time; after `ROBOTS_RETRY_TIMES` retries the host's pages are refused.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        frontier = frontier_of(crawler)
        frontier.robots = self
        self._config = PolitenessConfig.from_settings(crawler.settings)
        self._throttle = frontier.throttle
        self._file = RobotsFile(crawler)
        self._cache = RobotsCache()
        self._asking: dict[str, asyncio.Future[RobotsAnswer]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RobotsMiddleware":
        return cls(crawler)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The `Sitemap` lines of the robots.txt of a URL's host, as written there, each once."""
        answer = await self._answer(Request(url))
        return answer.rules.sitemaps if answer.rules else ()

    def forbids(self, url: str) -> bool:
        """Whether a URL may not be fetched, by what is known already; nothing is asked for."""
        parts = urlparse_cached(Request(url))
        answer = self._cache.get(f"{parts.scheme}://{parts.netloc}")
        if not self._config.obeys_robots or answer is None or answer.rules is None:
            return False
        return not answer.rules.allow(url)

    async def process_request(self, request: Request) -> Request | None:
        """Let the request pass, refuse it, or send it back to the queue, where it waits.

        Raises:
            RequestRefused: robots.txt forbids it, or could not be fetched after all retries.
        """
        if not self._config.obeys_robots or request.meta.get("dont_obey_robotstxt"):
            return None
        answer = await self._answer(request)
        if answer.rules is None:
            return self._unavailable(request, answer)
        if not answer.rules.allow(request.url):
            raise RequestRefused("robots", "robots.txt forbids it")
        return None

    def _unavailable(self, request: Request, answer: RobotsAnswer) -> Request:
        if answer.error is not None and self._fails_at_once(request, answer.error):
            raise answer.error
        if answer.is_final or request.callback is NO_CALLBACK:
            raise RequestRefused(ROBOTS_UNAVAILABLE, "without a robots.txt nothing may be fetched")
        return request.replace(dont_filter=True)

    def _fails_at_once(self, request: Request, error: Exception) -> bool:
        # A guessed https is tried as http as soon as it fails.
        scope = getattr(self._crawler.spider, "scope", None)
        is_guess = scope is not None and bool(scope.fallback_url(request.url))
        return is_guess or isinstance(error, _NOBODY_THERE)

    async def _answer(self, request: Request) -> RobotsAnswer:
        parts = urlparse_cached(request)
        origin = f"{parts.scheme}://{parts.netloc}"
        if answer := self._cache.get(origin):
            return answer
        if origin not in self._asking:
            self._asking[origin] = asyncio.ensure_future(self._ask(origin, request))
        # One of many waiting requests may be cancelled: the others still want the answer.
        return await asyncio.shield(self._asking[origin])

    async def _ask(self, origin: str, request: Request) -> RobotsAnswer:
        site = str(self._crawler.engine.downloader.get_slot_key(request))
        self._throttle.begin_asking(site)
        try:
            answer = await self._fetch(origin, site)
        finally:
            self._throttle.end_asking(site)
            del self._asking[origin]
        self._cache.put(origin, answer)
        return answer

    async def _fetch(self, origin: str, site: str) -> RobotsAnswer:
        self._crawler.stats.inc_value("ragcrawler/robots/requests")
        try:
            response = await self._file.fetch(origin)
        except IgnoreRequest:
            return self._allowed(RobotsRules(self._config.product_token), _LONGEST_SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever the network does, the host may not be asked then
            return self._answer_failure(origin, site, f"{type(error).__name__}: {error}", error)
        if response.status >= _SERVER_ERRORS or response.status == _TOO_MANY_REQUESTS:
            return self._answer_failure(origin, site, f"HTTP {response.status}")
        return self._read(response, site)

    def _read(self, response: Response, site: str) -> RobotsAnswer:
        token = self._config.product_token
        is_there = response.status in _SUCCESSES
        rules = RobotsRules.parse(response.body, token) if is_there else RobotsRules(token)
        age = max_age_seconds((response.headers.get("Cache-Control") or b"").decode("latin-1"))
        seconds = _LONGEST_SECONDS if age is None else min(max(age, _SHORTEST_SECONDS), _LONGEST_SECONDS)
        if rules.delay_seconds and self._config.obeys_robots:
            self._slow_down(site, rules.delay_seconds)
        return self._allowed(rules, seconds, len(response.body) if is_there else 0)

    def _allowed(self, rules: RobotsRules, seconds: float, size: int = 0) -> RobotsAnswer:
        return RobotsAnswer(rules, expires=self._cache.clock() + seconds, size=size)

    def _slow_down(self, site: str, asked_seconds: float) -> None:
        seconds = min(asked_seconds, self._config.max_crawl_delay_seconds)
        if seconds < asked_seconds:
            self._crawler.stats.inc_value("ragcrawler/robots/delays_cut")
            logger.warning(
                "robots.txt of %s asks for %.0f s between two requests; by ROBOTS_MAX_CRAWL_DELAY_SECONDS "
                "it gets %.0f s",
                site,
                asked_seconds,
                seconds,
            )
        self._throttle.set_delay(site, max(seconds, self._throttle.delay_seconds(site)))

    def _answer_failure(
        self, origin: str, site: str, reason: str, error: Exception | None = None
    ) -> RobotsAnswer:
        misses = self._cache.misses(origin) + 1
        now = self._cache.clock()
        if misses > self._config.robots_retries:
            self._crawler.stats.inc_value("ragcrawler/robots/unavailable")
            logger.warning(
                "Could not fetch %s/robots.txt (%s); no page of this host is fetched", origin, reason
            )
            return RobotsAnswer(None, now + _LONGEST_SECONDS, error=error, misses=misses, is_final=True)
        bound = self._config.robots_retry_seconds * 2 ** (misses - 1)
        drawn = random.uniform(bound / 2, bound)  # noqa: S311 - no secret depends on it
        seconds = max(drawn, self._throttle.held_seconds(site))
        logger.info("Could not fetch %s/robots.txt (%s); retrying in %.1f s", origin, reason, seconds)
        if self._config.obeys_robots and not isinstance(error, _NOBODY_THERE):
            self._throttle.hold(site, seconds)
        return RobotsAnswer(None, now + seconds, error=error, misses=misses)
