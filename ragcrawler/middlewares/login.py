"""Sends a site the headers that let the crawl in, and takes them off the request again."""

from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response

from ragcrawler.config.crawling.web_access import WebAccessConfig
from ragcrawler.run.meta_keys import PAGE_RESOURCE
from ragcrawler.urls.logins import Logins


class LoginMiddleware:
    """Stands next to the download: redirects, retries, the HTTP cache and the log see requests without.

    A redirect is a new request, which gets the headers of its own site or none.
    """

    def __init__(self, logins: Logins) -> None:
        self._logins = logins
        self._before: WeakKeyDictionary[Request, Headers] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "LoginMiddleware":
        """Make the middleware; `NotConfigured` where there is no login, `SettingError` where it is wrong."""
        logins = WebAccessConfig.from_settings(crawler.settings).logins
        if not logins:
            raise NotConfigured
        return cls(logins)

    def process_request(self, request: Request) -> None:
        headers = self._logins.of(request.url)
        # A page's scripts ask with the login of their own site; with another's they could act in its name.
        asking_page = request.meta.get(PAGE_RESOURCE, request.url)
        if not headers or self._logins.of(asking_page) != headers:
            return
        self._before[request] = request.headers
        request.headers = request.headers.copy()
        for name, value in headers.items():
            of_the_crawl = request.headers.get(name) if name == "Cookie" else None
            request.headers[name] = f"{of_the_crawl.decode('latin-1')}; {value}" if of_the_crawl else value

    def process_response(self, request: Request, response: Response) -> Response:
        self._take_off(request)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:  # noqa: ARG002 - Scrapy's
        self._take_off(request)

    def _take_off(self, request: Request) -> None:
        if request in self._before:
            request.headers = self._before.pop(request)
