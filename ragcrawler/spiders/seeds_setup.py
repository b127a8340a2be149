"""The parts of a crawl with the seeds spider, from settings and arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from scrapy.crawler import Crawler
from scrapy.linkextractors import IGNORED_EXTENSIONS

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.crawling.discovery import DiscoveryConfig
from ragcrawler.config.crawling.frontier import frontier_options, resumes
from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.crawling.sharing import SharingConfig
from ragcrawler.conversion import READABLE_EXTENSIONS
from ragcrawler.conversion.detection.media_type import UNREADABLE_EXTENSIONS
from ragcrawler.frontier import Frontier
from ragcrawler.frontier.states.protocol import LeaseTerms
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.run.reporting.retry_list import failed_urls
from ragcrawler.run.saved_crawls.saved_crawl import CrawlIdentity, SavedCrawl
from ragcrawler.run.steady_clock import CLOCK
from ragcrawler.spiders.argument_table import ArgumentOwner
from ragcrawler.spiders.arguments import ArgumentError, SeedsArguments
from ragcrawler.spiders.responses.missing_pages import MissingPages, download
from ragcrawler.spiders.responses.page_reader import ResponseReader

if TYPE_CHECKING:
    from ragcrawler.run.sharing.shared_crawl import SharedCrawl


@dataclass(frozen=True, slots=True)
class SeedsSetup:
    """The parts that the spider works with.

    Attributes:
        frontier: decides about URLs.
        reader: reads responses for it.
        options: what the crawl may do to the collection.
        saved_crawl: the file of the frontier's state; None where nothing outlives the process.
    """

    frontier: Frontier
    reader: ResponseReader
    options: CrawlOptions
    saved_crawl: "SavedCrawl | SharedCrawl | None" = None

    @classmethod
    def open(cls, crawler: Crawler, values: Mapping[str, str], spider: ArgumentOwner) -> Self:
        """Read settings and arguments.

        Args:
            crawler: whose stats are counted.
            values: the `-a` arguments.
            spider: takes these.

        Raises:
            ValueError: one of them is invalid; says which, its value, and what would be right.
            FrontierStateError: what an earlier run left cannot be used.
        """
        arguments, attempts = read_arguments(values, crawler.settings, spider)
        saved = open_saved_crawl(values, crawler.settings, spider.name, is_dry=arguments.is_dry)
        return cls.of(crawler, arguments, saved, attempts)

    @classmethod
    def of(
        cls,
        crawler: Crawler,
        arguments: SeedsArguments,
        saved: "SavedCrawl | SharedCrawl | None" = None,
        attempts: Mapping[str, int] | None = None,
    ) -> Self:
        """Make the parts.

        Args:
            crawler: whose stats are counted.
            arguments: of the spider.
            saved: what outlives the process.
            attempts: how often the URLs of a retry were tried before.

        Raises:
            ValueError: a setting is invalid.
        """
        frontier = _open_frontier(crawler, arguments, saved)
        # A page that only a sitemap names is not gone because another crawl does not ask for sitemaps.
        listings = "listings" if frontier.options.discovery.is_on else "links"
        return cls(
            frontier,
            ResponseReader(
                frontier,
                MissingPages(frontier.soft_404, lambda url: download(url, crawler)),
                PolitenessConfig.from_settings(crawler.settings),
                Configuration.from_settings(crawler.settings).max_links,
            ),
            CrawlOptions(
                contains=arguments.contains,
                starts_at_domains=arguments.starts_at_domains,
                crawl=f"{arguments.fingerprint} {listings}",
                attempts=attempts or {},
                is_dry=arguments.is_dry,
                is_forced=arguments.is_forced,
                max_pages=arguments.max_pages,
                asks_for_due=arguments.asks_for_due,
            ),
            saved,
        )


def check_seeds(values: Mapping[str, str], settings: Mapping[str, object], spider: ArgumentOwner) -> None:
    """Refuse arguments, and a state of an earlier run, with which no crawl can begin.

    Raises:
        ValueError: says what is wrong, and what would be right.
    """
    arguments, _ = read_arguments(values, settings, spider)
    check_saved_crawl(values, settings, spider.name, is_dry=arguments.is_dry)


def check_saved_crawl(
    values: Mapping[str, str], settings: Mapping[str, object], spider: str, *, is_dry: bool
) -> None:
    """Refuse a state of an earlier run that cannot be used.

    Raises:
        ValueError: says what is wrong, and what would be right.
    """
    try:
        if sharing := SharingConfig.if_shared(settings):
            from ragcrawler.frontier.states.redis.crawls import RedisCrawls
            from ragcrawler.run.sharing.shared_crawl import redis_address

            RedisCrawls(redis_address(sharing)).close()
            return
        saved = open_saved_crawl(values, settings, spider, is_dry=is_dry)
    except FrontierStateError as error:
        raise ValueError(str(error)) from error
    if isinstance(saved, SavedCrawl):
        saved.end(is_over=not saved.is_resumed)


def open_saved_crawl(
    values: Mapping[str, str], settings: Mapping[str, object], spider: str, *, is_dry: bool
) -> "SavedCrawl | SharedCrawl | None":
    """The state of a crawl with these arguments; None for a plan and a dry run.

    It is a file, or in Redis where that is set: then other processes may work on it too.

    Raises:
        FrontierStateError: another process works on the file, or file or Redis cannot be used.
    """
    configuration = Configuration.from_settings(settings)
    if is_dry or DiscoveryConfig.from_settings(settings).plan_pages:
        return None
    identity = CrawlIdentity(spider, values, configuration.collection_place)
    if sharing := SharingConfig.if_shared(settings):
        from ragcrawler.run.sharing.shared_crawl import SharedCrawl

        return SharedCrawl.open(sharing, identity, resumes=resumes(settings))
    return SavedCrawl.open(configuration.output_folder, identity, resumes=resumes(settings))


def read_arguments(
    values: Mapping[str, str], settings: Mapping[str, object], spider: ArgumentOwner
) -> tuple[SeedsArguments, Mapping[str, int]]:
    """The arguments, and how often the URLs of `retry_failed` were tried before.

    Raises:
        ValueError: one of them is invalid; says which, its value, and what would be right.
    """
    run = values.get("retry_failed", "")
    failed = failed_urls(Configuration.from_settings(settings).output_folder, run) if run else {}
    names = [argument.name for argument in spider.argument_table]
    arguments = SeedsArguments.parse(values, failed, names=names, spider=spider.name)
    if arguments.asks_for_due and settings.get("ITEM_PIPELINES") in (None, {}, "", "{}"):
        raise ArgumentError(
            "-a revisit=due asks the collection what is due, and no item pipeline opens it: leave it out"
        )
    return arguments, failed


def _open_frontier(
    crawler: Crawler, arguments: SeedsArguments, saved: "SavedCrawl | SharedCrawl | None"
) -> Frontier:
    options = replace(
        frontier_options(crawler.settings, max_depth=arguments.max_depth, ignored_extensions=IGNORED),
        scope=arguments.scope,
        named_urls=arguments.start_urls,
        rules=arguments.rules,
        variants=arguments.variants,
        max_pages=arguments.max_pages,
    )

    def count(name: str, amount: int) -> None:
        crawler.stats.inc_value(f"ragcrawler/{name}", amount)

    if saved is None:
        return Frontier(options, count=count)
    if (shared := saved.shared) is not None:
        terms = LeaseTerms(shared.config.lease_seconds, crawler.settings.getfloat("DOWNLOAD_DELAY"))
        return Frontier(options, shared.state, count, shared.state.clock, terms)
    return Frontier(options, saved.state, count, clock=lambda: CLOCK.now().timestamp())


IGNORED = (frozenset(IGNORED_EXTENSIONS) | UNREADABLE_EXTENSIONS) - READABLE_EXTENSIONS
