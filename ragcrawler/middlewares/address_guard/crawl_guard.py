"""The address guard of a crawl, one for all that connects."""

from contextlib import suppress
from urllib.request import getproxies
from weakref import WeakKeyDictionary

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from ragcrawler.config.crawling.proxies import ProxyConfig
from ragcrawler.urls.address_guard import AddressGuard
from ragcrawler.urls.canonical import host_and_port
from ragcrawler.urls.errors import UrlError

_guards: WeakKeyDictionary[Crawler, AddressGuard] = WeakKeyDictionary()


def crawl_guard(crawler: Crawler) -> AddressGuard:
    """The guard of a running crawl, made at the first call.

    What the operator named are the spider's `start_urls`; proxies are those of the settings and of the
    environment.
    """
    if crawler not in _guards:
        named = filter(_is_web_url, getattr(crawler.spider, "start_urls", ()))
        _guards[crawler] = AddressGuard(named, filter(_is_web_url, _proxies(crawler)))
    return _guards[crawler]


def _proxies(crawler: Crawler) -> list[str]:
    found = list(getproxies().values()) if crawler.settings.getbool("HTTPPROXY_ENABLED") else []
    with suppress(NotConfigured):  # there is no list of proxies
        found += ProxyConfig.from_settings(crawler.settings).addresses.values()
    # Without scheme and credentials: only the place matters.
    return [f"http://{proxy.rpartition('://')[2].rpartition('@')[2]}" for proxy in found]


def _is_web_url(url: str) -> bool:
    """No for a `data:` URL that a spider starts from, and for the list of hosts in `no_proxy`."""
    try:
        host_and_port(url)
    except UrlError:
        return False
    return True
