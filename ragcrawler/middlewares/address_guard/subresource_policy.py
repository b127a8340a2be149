"""Limit the private hosts that a page's scripts may request."""

from urllib.parse import urlsplit

from scrapy import Request

from ragcrawler.run.meta_keys import PAGE_RESOURCE
from ragcrawler.urls.address_guard import AddressGuard

_NOTHING_NAMED = AddressGuard()


def check_subresource(request: Request) -> None:
    """Block cross-origin requests to private hosts that the operator allowed.

    Raises:
        UnsafeAddressError: a page requests a private host that is not its own, directly or by a redirect.
    """
    page_url = request.meta.get(PAGE_RESOURCE)
    if page_url and urlsplit(request.url)[:2] != urlsplit(page_url)[:2]:
        _NOTHING_NAMED.check_url(request.url)
