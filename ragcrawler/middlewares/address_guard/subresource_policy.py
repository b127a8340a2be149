"""Which private addresses a page's scripts may ask."""

from urllib.parse import urlsplit

from scrapy import Request

from ragcrawler.run.meta_keys import PAGE_RESOURCE
from ragcrawler.urls.address_guard import AddressGuard

_NOTHING_NAMED = AddressGuard()


def check_subresource(request: Request) -> None:
    """Keep a page from addresses that the operator named for their own sake, not for other sites' scripts.

    Raises:
        UnsafeAddressError: a page asks, itself or by a redirect, a private address that is not its own.
    """
    page_url = request.meta.get(PAGE_RESOURCE)
    if page_url and urlsplit(request.url)[:2] != urlsplit(page_url)[:2]:
        _NOTHING_NAMED.check_url(request.url)
