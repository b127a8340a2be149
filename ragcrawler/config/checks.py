"""What every crawl refuses before it begins."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.crawling.discovery import DiscoveryConfig
from ragcrawler.config.crawling.frontier import junk_filter
from ragcrawler.config.crawling.javascript import JavaScriptConfig
from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.crawling.proxies import ProxyConfig
from ragcrawler.config.crawling.response_cache import CacheConfig
from ragcrawler.config.crawling.web_access import WebAccessConfig

Check = Callable[[Mapping[str, object]], object]
"""Reads settings, and raises a ValueError where one is wrong."""


def _check_proxies(settings: Mapping[str, object]) -> None:
    given = settings if isinstance(settings, BaseSettings) else BaseSettings(dict(settings))
    with suppress(NotConfigured):  # there is no list of proxies
        ProxyConfig.from_settings(given)


CRAWL_CHECKS: tuple[Check, ...] = (
    Configuration.from_settings,
    PolitenessConfig.from_settings,
    CacheConfig.from_settings,
    DiscoveryConfig.from_settings,
    WebAccessConfig.from_settings,
    JavaScriptConfig.from_settings,
    junk_filter,
    _check_proxies,
)


def refusals(settings: Mapping[str, object], checks: Iterable[Check] = CRAWL_CHECKS) -> Iterator[str]:
    """What each check has against the settings; nothing where all is well."""
    for check in checks:
        try:
            check(settings)
        except ValueError as error:
            yield str(error)
