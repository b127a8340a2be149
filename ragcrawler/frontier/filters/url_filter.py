"""Combines all filters on a URL."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from ragcrawler.frontier.filters.junk import DEFAULT_JUNK_URL_PATTERN, JunkFilter
from ragcrawler.frontier.filters.traps import Traps
from ragcrawler.frontier.filters.variants import Variants
from ragcrawler.frontier.options import FrontierOptions
from ragcrawler.frontier.states.protocol import Notes


class UrlFilter:
    """Says of a URL, before it is fetched, why it is left out.

    Args:
        options: scope, rules and bounds.
        notes: remember what was seen of versions and traps.
    """

    def __init__(self, options: FrontierOptions, notes: Notes) -> None:
        self.scope = options.scope
        self._rules = options.rules
        self._max_depth = options.max_depth
        self._ignored = options.ignored_extensions
        pattern = options.junk_pattern
        self._junk = JunkFilter(DEFAULT_JUNK_URL_PATTERN if pattern is None else pattern)
        self._variants = Variants(options.variants, notes)
        self._traps = Traps(options.traps, notes)

    def learn(self, urls: Iterable[str]) -> None:
        """Look at URLs that were found together, before each is judged."""
        for url in urls:
            self._variants.learn([url], below=self.scope.prefix_of(url))

    def refusal(self, url: str, depth: int, language: str = "") -> str:
        """The reason to skip a canonical URL, "" where there is none.

        Args:
            url: found somewhere.
            depth: links followed from a start URL.
            language: that its link names, "" where it names none.
        """
        if not self.scope.contains(url):
            return "offsite"
        if _extension(url) in self._ignored:
            return "media"
        prefix = self.scope.prefix_of(url)
        if self._junk.matches(url, below=prefix):
            return "junk"
        if refusal := self._rules.refusal(url) or self._variants.refusal(
            url, below=prefix, language=language
        ):
            return refusal
        if self._max_depth is not None and depth > self._max_depth:
            return "max_depth"
        return self._traps.refusal(url) or ""


def _extension(url: str) -> str:
    segment = urlsplit(url).path.rpartition("/")[2]
    return segment.rpartition(".")[2].lower() if "." in segment else ""
