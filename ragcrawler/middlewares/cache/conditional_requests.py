"""Asks for pages of an earlier crawl only whether they changed."""

from scrapy import Request
from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.http import Response

_VALIDATORS = (b"If-None-Match", b"If-Modified-Since")
_CACHED = "cached"


class ConditionalRequestsMiddleware(HttpCacheMiddleware):
    """Scrapy's cache; its policy and storage are those of `HTTPCACHE_POLICY` and `HTTPCACHE_STORAGE`.

    What a browser fetches is left to the browser.
    """

    def process_request(self, request: Request) -> Request | Response | None:  # type: ignore[override]  # `spider` is deprecated
        """Give the request the validators of the stored response."""
        # Those of the request before a redirect would be taken for this page's.
        for name in _VALIDATORS:
            request.headers.pop(name, None)
        if request.meta.get("playwright"):
            request.meta["dont_cache"] = True
        return super().process_request(request)

    def process_exception(self, request: Request, exception: Exception) -> None:  # type: ignore[override]  # noqa: ARG002 - likewise
        """Let the page fail: the stored one may not be what is there now."""
        request.meta.pop("cached_response", None)

    def _freshen_cached_response(self, cachedresponse: Response, response: Response) -> None:
        # RFC 9111, section 3.2: what describes the body came with the body.
        for name in [name for name in response.headers if name.lower().startswith(b"content-")]:
            del response.headers[name]
        super()._freshen_cached_response(cachedresponse, response)

    def _cache_response(self, response: Response, request: Request) -> None:
        if _CACHED in response.flags:
            self.stats.inc_value("ragcrawler/cache/unchanged")
            self.stats.inc_value("ragcrawler/cache/bytes", len(response.body))
            self.storage.refresh_response(request, response)
        else:
            super()._cache_response(response, request)
