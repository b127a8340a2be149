"""The URLs that the user named: each is requested, or reported as unfinished."""

import logging
from collections.abc import Sequence

from ragcrawler.frontier.filters.kept_out import KEPT_OUT, KeptOut
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.target import Target
from ragcrawler.frontier.url_variants import Spellings

logger = logging.getLogger(__name__)

SHUTDOWN = "shutdown"


class NamedUrls:
    """Enters them before the first request, so that no link brings one first and has it refused.

    Args:
        urls: canonical, without duplicates.
        ledger: says what became of them.
        spellings: tells apart those that a rule would join.
    """

    def __init__(self, urls: Sequence[str], ledger: UrlLedger, spellings: Spellings) -> None:
        self._urls = urls
        self._spellings = spellings
        self._ledger = ledger
        self._keys = frozenset(map(ledger.key, urls))
        self._unfinished: tuple[str, ...] = ()

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Those that were not asked for, or not to the end; known once the crawl is closed."""
        return self._unfinished

    def has(self, url: str) -> bool:
        """Whether the user named the page, in whatever spelling."""
        return self._ledger.key(url) in self._keys

    def enter(self, kept_out: KeptOut) -> list[Target]:
        """The targets, all of them in the ledger; what is kept out is skipped, though it was named."""
        targets = [Target(url) for url in self._urls if not self._is_kept_out(url, kept_out)]
        return [target for target in targets if self._is_new(target)]

    def close(self) -> None:
        """Take stock, before what is still open is skipped."""
        self._unfinished = tuple(url for url in self._urls if not self._is_finished(url))

    def _is_kept_out(self, url: str, kept_out: KeptOut) -> bool:
        if not kept_out.covers(url):
            return False
        if self._ledger.add(Target(url), is_named=True, refusal=KEPT_OUT):
            logger.warning("%s is kept out of the collection: `scrapy remove --list` shows by what", url)
        return True

    def _is_new(self, target: Target) -> bool:
        """Whether a URL is entered now; another spelling of a page is asked for too where it was named."""
        if self._ledger.add(target, is_named=True):
            return True
        return self._spellings.set_apart(target.url) and self._ledger.add(target, is_named=True)

    def _is_finished(self, url: str) -> bool:
        status, reason = self._ledger.status(url) or ("open", "")
        return status != "open" and reason != SHUTDOWN
