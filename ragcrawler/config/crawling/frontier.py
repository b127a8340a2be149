"""The frontier's options, as the settings have them."""

from collections.abc import Mapping

from ragcrawler.config.crawling.discovery import DiscoveryConfig
from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.crawling.web_access import WebAccessConfig
from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.frontier import FrontierOptions
from ragcrawler.frontier.filters.junk import JunkFilter, UnknownWordError
from ragcrawler.frontier.hosts.site_health import SiteLimits


def resumes(settings: Mapping[str, object]) -> bool:
    """Whether a crawl goes on where its last run with the same arguments was broken off.

    Raises:
        SettingError: RESUME has an invalid value.
    """
    return SettingsReader(settings).flag("RESUME")


def junk_filter(settings: Mapping[str, object]) -> JunkFilter:
    """Tells pages of no use to readers.

    Raises:
        PatternError: JUNK_URL_PATTERN is no regular expression.
        SettingError: JUNK_URL_KEEP names a word that the pattern does not have.
    """
    read = SettingsReader(settings)
    pattern = None if settings.get("JUNK_URL_PATTERN") is None else read.text("JUNK_URL_PATTERN")
    words = [word.strip() for word in read.text("JUNK_URL_KEEP").split(",") if word.strip()]
    try:
        return JunkFilter(pattern, words)
    except UnknownWordError as error:
        known = ", ".join(error.known) or "none, for it has no named groups"
        raise SettingError("JUNK_URL_KEEP", error.word, f"words of JUNK_URL_PATTERN: {known}") from error


def frontier_options(
    settings: Mapping[str, object], *, max_depth: int | None = None, ignored_extensions: frozenset[str]
) -> FrontierOptions:
    """The options that settings give; scope, rules and named URLs are added by the caller.

    Args:
        settings: of the crawl.
        max_depth: links followed from a named URL at the most, None for no bound.
        ignored_extensions: of files that hold no text.

    Raises:
        SettingError, PatternError: one of them has an invalid value.
    """
    discovery = DiscoveryConfig.from_settings(settings)
    politeness = PolitenessConfig.from_settings(settings)
    web = WebAccessConfig.from_settings(settings)
    return FrontierOptions(
        junk=junk_filter(settings),
        ignored_extensions=ignored_extensions,
        traps=web.traps,
        max_depth=max_depth,
        plan_pages=discovery.plan_pages,
        finds_soft_404=web.finds_soft_404,
        discovery=discovery.limits_of(max_depth=max_depth),
        sites=SiteLimits(politeness.max_failures, politeness.pause_seconds, politeness.max_pauses),
    )
