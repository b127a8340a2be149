"""The default ban policy: which responses and errors count as a ban of a proxy."""

from scrapy import Request
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest, UnsupportedURLSchemeError
from scrapy.http import Response
from twisted.internet.defer import CancelledError

_BAN_STATUSES = {
    403,  # the usual answer to an address that is not wanted
    407,  # the proxy wants other credentials
    429,  # too many requests from this address
    502,  # from here on: the proxy has not reached the site, or a guard before the site turns it away
    503,
    504,
}


_PAGE_EXCEPTIONS = (
    IgnoreRequest,
    CancelledError,  # the crawl was stopped
    DownloadCancelledError,  # the response was too large
    UnsupportedURLSchemeError,
)


class PageBanPolicy:
    """Takes a missing page for a missing page.

    The policy of scrapy-rotating-proxies takes every status but 200, 301 and 302 for a ban: each broken link,
    and each site without a robots.txt, would be asked for again with every proxy, and would cost them all.
    """

    def response_is_ban(self, request: Request, response: Response) -> bool:  # noqa: ARG002  its interface
        """A status that is said to an address, not of a page."""
        return response.status in _BAN_STATUSES

    def exception_is_ban(self, request: Request, exception: Exception) -> bool:  # noqa: ARG002  its interface
        """No response, for want of a connection or of time."""
        return not isinstance(exception, _PAGE_EXCEPTIONS)
