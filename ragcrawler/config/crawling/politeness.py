"""The settings of politeness: robots.txt, delays, retries, pauses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.robots.directives import NO_DIRECTIVES, RobotsDirectives

_TOKEN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-")


@dataclass(frozen=True, slots=True)
class PolitenessConfig:
    """How the crawl obeys, waits and gives up.

    Attributes:
        product_token: the name by which robots.txt and robots tags address this crawler.
        obeys_robots: robots.txt.
        obeys_robots_tags: meta robots and `X-Robots-Tag`.
        obeys_rel_nofollow: `rel=nofollow` of single links.
        max_crawl_delay_seconds: what robots.txt may ask for between two requests.
        robots_retries: retries of a robots.txt that could not be fetched.
        robots_retry_seconds: before the first of them; it doubles.
        max_retry_after_seconds: what `Retry-After` may ask for.
        backoff_base_seconds: upper bound of the wait before a page's first retry; it doubles.
        backoff_max_seconds: upper bound of all of them.
        max_failures: consecutive failures after which a site is paused.
        pause_seconds: the first pause; it doubles.
        max_pauses: pauses without a success between them after which a site is given up.
    """

    product_token: str
    obeys_robots: bool
    obeys_robots_tags: bool
    obeys_rel_nofollow: bool
    max_crawl_delay_seconds: float
    robots_retries: int
    robots_retry_seconds: float
    max_retry_after_seconds: float
    backoff_base_seconds: float
    backoff_max_seconds: float
    max_failures: int
    pause_seconds: float
    max_pauses: int

    def followed(self, links: PageLinks, robots: RobotsDirectives) -> PageLinks:
        """The links of a page, with those under `nofollow` that may not be followed.

        Args:
            links: as they stand in the page.
            robots: what its tags and headers ask for; what is obeyed of it stands in the answer.
        """
        robots = robots if self.obeys_robots_tags else NO_DIRECTIVES
        links = replace(links, robots=robots)
        if robots.nofollow:
            return replace(links, urls=(), nofollow=(*links.urls, *links.nofollow), feeds=())
        if links.nofollow and not self.obeys_rel_nofollow:
            return replace(links, urls=(*links.urls, *links.nofollow), nofollow=())
        return links

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> "PolitenessConfig":
        """Read and check the settings.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        return cls(
            product_token=_product_token(read),
            obeys_robots=read.flag("ROBOTSTXT_OBEY"),
            obeys_robots_tags=read.flag("ROBOTS_TAGS_OBEY"),
            obeys_rel_nofollow=read.flag("REL_NOFOLLOW_OBEY"),
            max_crawl_delay_seconds=read.number("ROBOTS_MAX_CRAWL_DELAY_SECONDS"),
            robots_retries=read.integer("ROBOTS_RETRY_TIMES"),
            robots_retry_seconds=read.number("ROBOTS_RETRY_SECONDS"),
            max_retry_after_seconds=read.number("RETRY_AFTER_MAX_SECONDS"),
            backoff_base_seconds=read.number("RETRY_BACKOFF_BASE_SECONDS"),
            backoff_max_seconds=read.number("RETRY_BACKOFF_MAX_SECONDS"),
            max_failures=read.integer("SITE_MAX_FAILURES", minimum=1),
            pause_seconds=read.number("SITE_PAUSE_SECONDS"),
            max_pauses=read.integer("SITE_MAX_PAUSES"),
        )


def _product_token(read: SettingsReader) -> str:
    token = read.text("ROBOTSTXT_USER_AGENT")
    if not token or not set(token) <= _TOKEN_CHARACTERS:
        raise SettingError(
            "ROBOTSTXT_USER_AGENT", token, "a product token of letters, `_` and `-` (RFC 9309, section 2.2.1)"
        )
    return token
