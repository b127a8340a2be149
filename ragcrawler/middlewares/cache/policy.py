"""The cache policy: a stored response is used only after the site has confirmed it."""

from scrapy import Request
from scrapy.extensions.httpcache import RFC2616Policy
from scrapy.http import Response
from scrapy.settings import BaseSettings

from ragcrawler.config.crawling.web_access import WebAccessConfig

_OK = 200
_NOT_MODIFIED = 304


class RevalidatingPolicy(RFC2616Policy):
    """Scrapy's RFC 2616 policy, for a crawl that has to see every change.

    A page counts as stale at once, whatever its `max-age`: the site is asked each time, and answers 304 where
    nothing changed. An error is no reason to take the old page for the new one. What the request's cookies or
    credentials, or the login of its site, may have brought is not stored.
    """

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        self._logins = WebAccessConfig.from_settings(settings).logins

    def should_cache_request(self, request: Request) -> bool:
        """Whether the request may have a stored response."""
        is_personal = b"Authorization" in request.headers or b"Cookie" in request.headers
        # Logins are put on behind the cache.
        is_personal = is_personal or bool(self._logins.of(request.url))
        return request.method == "GET" and not is_personal and super().should_cache_request(request)

    def should_cache_response(self, response: Response, request: Request) -> bool:
        """Whether the site can confirm the response next time, and allows to keep it."""
        can_be_confirmed = b"ETag" in response.headers or b"Last-Modified" in response.headers
        is_whole = response.status == _OK and not response.flags
        varies = response.headers.get(b"Vary") == b"*"
        return (
            is_whole and can_be_confirmed and not varies and super().should_cache_response(response, request)
        )

    def is_cached_response_fresh(self, cachedresponse: Response, request: Request) -> bool:
        """Never; the request gets the validators."""
        self._set_conditional_validators(request, cachedresponse)
        return False

    def is_cached_response_valid(
        self,
        cachedresponse: Response,  # noqa: ARG002 - Scrapy's signature
        response: Response,
        request: Request,  # noqa: ARG002 - likewise
    ) -> bool:
        """Whether the site confirmed it."""
        return bool(response.status == _NOT_MODIFIED)
