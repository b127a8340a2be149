"""The settings of politeness: robots.txt, delays, retries, pauses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import FromSettings, SettingsReader, setting
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.robots.directives import NO_DIRECTIVES, RobotsDirectives

_TOKEN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-")


@dataclass(frozen=True, slots=True)
class PolitenessConfig(FromSettings):
    """How the crawl obeys, waits and gives up; waits in seconds.

    Attributes:
        product_token: the name by which robots.txt and robots tags address this crawler.
    """

    product_token: str
    obeys_robots: bool = setting("ROBOTSTXT_OBEY", "flag")
    obeys_robots_tags: bool = setting("ROBOTS_TAGS_OBEY", "flag")
    obeys_rel_nofollow: bool = setting("REL_NOFOLLOW_OBEY", "flag")
    max_crawl_delay_seconds: float = setting("ROBOTS_MAX_CRAWL_DELAY_SECONDS", "number")
    robots_retries: int = setting("ROBOTS_RETRY_TIMES", "integer")
    robots_retry_seconds: float = setting("ROBOTS_RETRY_SECONDS", "number")
    max_retry_after_seconds: float = setting("RETRY_AFTER_MAX_SECONDS", "number")
    backoff_base_seconds: float = setting("RETRY_BACKOFF_BASE_SECONDS", "number")
    backoff_max_seconds: float = setting("RETRY_BACKOFF_MAX_SECONDS", "number")
    max_failures: int = setting("SITE_MAX_FAILURES", "integer", minimum=1)
    pause_seconds: float = setting("SITE_PAUSE_SECONDS", "number")
    max_pauses: int = setting("SITE_MAX_PAUSES", "integer")

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
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        read = SettingsReader(settings)
        return cls(product_token=_product_token(read), **cls.read_fields(read))


def _product_token(read: SettingsReader) -> str:
    token = read.text("ROBOTSTXT_USER_AGENT")
    if not token or not set(token) <= _TOKEN_CHARACTERS:
        raise SettingError(
            "ROBOTSTXT_USER_AGENT", token, "a product token of letters, `_` and `-` (RFC 9309, section 2.2.1)"
        )
    return token
