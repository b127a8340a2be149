"""Cookies that sites set, where the crawl is told to keep them."""

from collections.abc import Iterable
from http.cookiejar import Cookie
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http.cookies import CookieJar

from ragcrawler.middlewares.public_suffixes import SUFFIXES


class BundledSuffixCookiesMiddleware(CookiesMiddleware):
    """Scrapy's own, which downloads the list of public suffixes past the address guard."""

    def _process_cookies(self, cookies: Iterable[Cookie], *, jar: CookieJar, request: Request) -> None:
        """Keep cookies but those for a whole public suffix (`co.uk`), which any site below it would get.

        A host that is a public suffix itself may set cookies for itself (RFC 6265, section 5.3).
        """
        host = urlsplit(request.url).hostname
        for cookie in cookies:
            domain = cookie.domain.removeprefix(".")
            if domain and not SUFFIXES(domain).domain:
                if domain != host:
                    continue
                cookie.domain = domain
            jar.set_cookie_if_ok(cookie, request)
