"""From settings to engines that can be asked."""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

from ragcrawler.config.crawling.proxies import ProxyConfig
from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.search_engines.collector import EngineAccess
from ragcrawler.search_engines.definitions import DEFINITIONS
from ragcrawler.search_engines.engine import Fetcher, SearchEngine
from ragcrawler.search_engines.http_fetcher import HttpFetcher
from ragcrawler.search_engines.pace import EnginePace
from ragcrawler.search_engines.pages.html_engine import HtmlEngine
from ragcrawler.search_engines.robots import EngineRobots
from ragcrawler.search_engines.services.brave_api import BraveApi
from ragcrawler.search_engines.services.google_api import GoogleApi
from ragcrawler.search_engines.services.searxng import SearXng


def search_accesses(
    config: SearchEnginesConfig,
    names: Iterable[str],
    *,
    proxy: str,
    product_token: str,
    browser: Callable[[], Fetcher],
) -> list[EngineAccess]:
    """The engines with these names, each with its pace and its way.

    Args:
        config: of all of them.
        names: that are known and set up.
        proxy: for all but one's own SearXNG; "" for none.
        product_token: that robots.txt knows this program by.
        browser: makes what fetches pages of results, where one is needed.
    """
    direct = HttpFetcher(config.timeout_seconds, config.user_agent)
    proxied = replace(direct, proxy=proxy)
    robots = EngineRobots(proxied, product_token) if config.obeys_robots else None
    accesses = []
    for name in names:
        engine = _engine(config, name)
        if isinstance(engine, HtmlEngine):
            accesses.append(EngineAccess(engine, browser(), EnginePace(config.browser_seconds), robots))
        else:
            fetcher = direct if name == "searxng" else proxied
            accesses.append(EngineAccess(engine, fetcher, EnginePace(config.service_seconds)))
    return accesses


def search_proxy(settings: BaseSettings) -> str:
    """One of the crawl's proxies, at random and for the whole run: a session that changes its address is odd.

    "" where there are none.

    Raises:
        SettingError: the list is wrong.
    """
    try:
        addresses = list(ProxyConfig.from_settings(settings).addresses.values())
    except NotConfigured:
        return ""
    return random.choice(addresses)  # noqa: S311 - no secret depends on it


def _engine(config: SearchEnginesConfig, name: str) -> SearchEngine:
    if name == "searxng":
        return SearXng(config.searxng_url, config.searxng_engines)
    address = config.addresses[name]
    if name == "brave_api":
        return BraveApi(address, config.brave_key)
    if name == "google_api":
        return GoogleApi(address, config.google_key, config.google_engine_id)
    return HtmlEngine(replace(DEFINITIONS[name], base_url=address))
