"""Combines all filters on a URL."""

from collections.abc import Iterable
from typing import Literal
from urllib.parse import urlsplit

from ragcrawler.frontier.filters.candidate import Candidate, Check
from ragcrawler.frontier.filters.kept_out import KEPT_OUT, KeptOut
from ragcrawler.frontier.filters.traps import Traps
from ragcrawler.frontier.filters.variants import Variants
from ragcrawler.frontier.options import FrontierOptions
from ragcrawler.frontier.states.protocol import Notes, key64

_SCOPE_HOST = "scope_host"

PlaceReason = Literal["kept_out", "media", "max_depth"]


class UrlFilter:
    """Says of a URL, before it is fetched, why it is left out.

    Args:
        options: scope, rules and bounds.
        notes: remember what was seen of versions and traps, and hosts that the scope was widened by.

    Attributes:
        scope: the sites that may be fetched.
        kept_out: what no crawl may bring.
    """

    def __init__(self, options: FrontierOptions, notes: Notes) -> None:
        self._notes = notes
        self.kept_out = KeptOut()
        self.scope = options.scope.with_hosts_of(notes.texts(_SCOPE_HOST))
        self._max_depth = options.max_depth
        self._ignored = options.ignored_extensions
        self._junk = options.junk
        self._variants = Variants(options.variants, notes)
        self._checks: tuple[Check, ...] = (
            self._kept_out,
            self._unread_file,
            self._junk.refusal,
            options.rules.refusal,
            self._variants.refusal,
            self._too_deep,
            Traps(options.traps, notes).refusal,
        )

    def widen_scope(self, urls: Iterable[str]) -> None:
        """Let the crawl visit the hosts of some canonical URLs too."""
        urls = [url for url in urls if not self.scope.contains(url)]
        self.scope = self.scope.with_hosts_of(urls)
        for url in urls:
            self._notes.put(_SCOPE_HOST, key64(urlsplit(url).netloc), url)

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
        candidate = Candidate(url, depth, language, self.scope.prefix_of(url))
        reasons = (check(candidate) for check in self._checks)
        return next((reason for reason in reasons if reason), "")

    def junk_word(self, url: str) -> str:
        """The word by which a canonical URL is junk."""
        return self._junk.word(url, below=self.scope.prefix_of(url))

    def _kept_out(self, candidate: Candidate) -> PlaceReason | None:
        return KEPT_OUT if self.kept_out.covers(candidate.url) else None

    def _unread_file(self, candidate: Candidate) -> PlaceReason | None:
        return "media" if _extension(candidate.url) in self._ignored else None

    def _too_deep(self, candidate: Candidate) -> PlaceReason | None:
        return "max_depth" if self._max_depth is not None and candidate.depth > self._max_depth else None


def _extension(url: str) -> str:
    segment = urlsplit(url).path.rpartition("/")[2]
    return segment.rpartition(".")[2].lower() if "." in segment else ""
