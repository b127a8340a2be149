"""A page that declares another canonical URL yields to it if that URL can be fetched."""

from collections.abc import Callable, Iterable, Sequence

from ragcrawler.frontier.filters.kept_out import KEPT_OUT
from ragcrawler.frontier.filters.url_filter import UrlFilter
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.outcomes.pending_canonicals import PendingCanonicals, WaitingPage
from ragcrawler.frontier.page_limit import PLANNED, AcceptedPages
from ragcrawler.frontier.target import Target
from ragcrawler.urls.links.declared_canonical import declared_canonical, page_of_markdown_alternate

Count = Callable[[str, int], None]

CANONICAL = "canonical"
TEXT_TWIN = "text_twin"
# What was left out for these has its text in the collection, or its site does not want it there.
_SETTLED = {
    CANONICAL,
    TEXT_TWIN,
    PLANNED,
    "noindex",
    "unchanged",
    "not_due",
    "duplicate_content",
    "near_duplicate",
    "same_text",
}


class CanonicalResolver:
    """Decides which of two addresses of one text is kept.

    A page that yields stays open in the ledger until its canonical URL was answered. Then it is skipped, or
    asked for once more and kept whatever it declares: nothing is lost to a wrong `rel=canonical`.

    Args:
        ledger: knows what became of each URL.
        url_filter: a canonical URL must be one that would be crawled.
        accepted: the pages that were taken.
        pending: the pages that wait.
        count: adds to a stat, by its name without the prefix.
    """

    def __init__(
        self,
        ledger: UrlLedger,
        url_filter: UrlFilter,
        accepted: AcceptedPages,
        pending: PendingCanonicals,
        count: Count,
    ) -> None:
        self._ledger = ledger
        self._filter = url_filter
        self._accepted = accepted
        self._pending = pending
        self._count = count

    def of_page(self, target: Target, declared: Sequence[str]) -> list[Target] | None:
        """The targets to request instead of a page that came; None where it is kept itself.

        Args:
            target: its URL is the one that answered.
            declared: the addresses that the page gives for itself.
        """
        canonical = declared_canonical(target.url, declared)
        if canonical.doubt:
            self._count(f"canonical/{canonical.doubt}", 1)
        if not canonical.url or (target.stands_alone and not self._filter.kept_out.covers(canonical.url)):
            return None
        return self._instead(target, canonical.url, CANONICAL)

    def of_markdown(self, target: Target) -> list[Target] | None:
        """The targets to request instead of a Markdown file that llms.txt names; None for the file itself."""
        page = page_of_markdown_alternate(target.url)
        return self._instead(target, page, TEXT_TWIN) if page else None

    def settle(self, urls: Iterable[str], *, is_there: bool) -> list[Target]:
        """End the waiting for these URLs of one page; the waiting pages that are requested again."""
        targets = []
        for url in urls:
            # A page that waits comes, at this address or its canonical one.
            is_there = is_there or self._is_there(url) or self._pending.is_waiting(url)
            for waiting in self._pending.release(url):
                if is_there:
                    self._ledger.skip(waiting.target.url, waiting.reason)
                else:
                    self._count(f"{waiting.reason}/missing", 1)
                    targets.append(waiting.target.alone())
        return targets

    def _instead(self, target: Target, canonical: str, reason: str) -> list[Target] | None:
        if self._filter.kept_out.covers(canonical):  # it says that it is another copy of that page
            self._ledger.skip(target.url, KEPT_OUT, target.lease)
            return []
        if self._pending.is_waiting(target.url):
            return []
        if self._is_there(canonical):
            self._ledger.skip(target.url, reason, target.lease)
            return []
        is_refused = self._filter.refusal(canonical, target.depth)
        if is_refused or not self._pending.can_wait(target.url, canonical):
            self._count(f"{reason}/refused", 1)
            return None
        if self._pending.is_waiting(canonical):
            self._ledger.skip(target.url, reason, target.lease)
            return []
        return self._wait(target, Target(canonical, target.depth, target.url), reason)

    def _wait(self, target: Target, canonical: Target, reason: str) -> list[Target] | None:
        is_new = self._ledger.add(canonical)
        if self._ledger.status(canonical.url) != ("open", ""):
            self._count(f"{reason}/missing", 1)
            return None
        self._pending.wait(WaitingPage(target, reason), canonical.url)
        return [canonical] if is_new else []

    def _is_there(self, url: str) -> bool:
        if url in self._accepted:
            return True
        status, reason = self._ledger.status(url) or ("open", "")
        return status == "fetched" or (status == "skipped" and reason in _SETTLED)
