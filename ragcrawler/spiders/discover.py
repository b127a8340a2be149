"""`scrapy crawl discover -a query=...`: URLs from search engines, as a list or as seeds of a crawl."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.items import Document, FoundUrl
from ragcrawler.run.search.open import SearchRun
from ragcrawler.spiders.argument_table import shown_arguments
from ragcrawler.spiders.discover_arguments import DISCOVER_ARGUMENTS, DiscoverArguments
from ragcrawler.spiders.seeds import SeedsSpider
from ragcrawler.spiders.seeds_setup import SeedsSetup, check_saved_crawl, open_saved_crawl


class DiscoverSpider(SeedsSpider):
    """Yields a `FoundUrl` for each URL that engines found; with `follow` it crawls them as well."""

    name = "discover"
    argument_table = DISCOVER_ARGUMENTS

    def __init__(self, setup: SeedsSetup, arguments: DiscoverArguments, search: SearchRun) -> None:
        super().__init__(setup)
        self.start_urls = list(arguments.seeds.scope.start_urls)  # the address guard lets these be private
        self._arguments = arguments
        self._search = search

    @classmethod
    def check_arguments(cls, arguments: dict[str, str], settings: Mapping[str, object]) -> None:
        """Refuse wrong arguments, and engines that are not set up, before anything is asked.

        Raises:
            ValueError: says which argument, its value, and what would be right.
        """
        parsed = DiscoverArguments.parse(arguments)
        SearchEnginesConfig.from_settings(settings).chosen(parsed.engines)
        if parsed.follows:
            check_saved_crawl(arguments, settings, cls.name, is_dry=parsed.seeds.is_dry)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *_: Any, **kwargs: Any) -> Self:
        """Make the spider; `kwargs` are the `-a` arguments."""
        arguments = DiscoverArguments.parse(kwargs)
        names = SearchEnginesConfig.from_settings(crawler.settings).chosen(arguments.engines)
        set_up_feeds(crawler.settings, follows=arguments.follows)
        if arguments.follows:
            is_dry = arguments.seeds.is_dry
            saved = open_saved_crawl(kwargs, crawler.settings, cls.name, is_dry=is_dry)
        else:
            switch_off_pipelines(crawler.settings)
            saved = None
        setup = SeedsSetup.of(crawler, arguments.seeds, saved)
        # A search finds a part of each site: what it does not find is not gone.
        options = replace(setup.options, contains=None, starts_at_domains=False)
        search = SearchRun(crawler, names, follows=arguments.follows)
        crawler.signals.connect(search.close, signals.spider_closed)
        spider = cls(replace(setup, options=options), arguments, search)
        spider.shown_arguments = shown_arguments(cls.argument_table, kwargs)
        spider._set_crawler(crawler)
        return spider

    async def start(self) -> AsyncIterator[FoundUrl | Request]:  # type: ignore[override]  # items go before pages
        """Search; what is found is queued best first, while the next query is searched for."""
        arguments = self._arguments
        discovery = self._search.discovery(
            arguments.queries,
            pages=arguments.pages,
            per_domain=arguments.per_domain,
            rules=arguments.seeds.rules,
            frontier=self.frontier,
        )
        async for found in discovery.found(lambda: bool(self.crawler.crawling)):
            if arguments.follows and found:
                with self.frontier.effects.transaction():
                    source = f"search: {found[0].query}"
                    urls = [each.url for each in found]
                    self.frontier.add_seeds(urls, source, widens_scope=arguments.widens_scope)
            for each in found:
                yield each


_LIST = "%(run_folder)s/found.jsonl"
_DOCUMENTS = "%(run_folder)s/documents.jsonl"
_JSON_LINES = {"format": "jsonlines", "encoding": "utf-8", "store_empty": True}


def set_up_feeds(settings: Settings, *, follows: bool) -> None:
    """Feeds hold the found URLs; documents go where those of every crawl go."""
    given = {str(uri): dict(options) for uri, options in settings.getdict("FEEDS").items()}
    documents = given.pop(_DOCUMENTS, _JSON_LINES)
    lists = given or {_LIST: _JSON_LINES}
    feeds = {uri: {"item_classes": [FoundUrl], **options} for uri, options in lists.items()}
    if follows:
        feeds[_DOCUMENTS] = {**documents, "item_classes": [Document]}
    settings.set("FEEDS", feeds, priority="cmdline")  # where `-O` stands as well


def switch_off_pipelines(settings: Settings) -> None:
    """A list of URLs needs neither models nor the collection."""
    settings.set("ITEM_PIPELINES", {}, priority="cmdline")
