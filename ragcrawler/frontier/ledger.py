"""The status of every URL that was seen; the numbers of the report come from here and add up."""

from collections.abc import Callable, Sequence

from ragcrawler.frontier.observer import FrontierObservers
from ragcrawler.frontier.states.protocol import KeyTakenError, Status, UrlCounts, UrlRecord, UrlRecords, key64
from ragcrawler.frontier.target import Target
from ragcrawler.urls.host import host_of
from ragcrawler.urls.identity import url_key


class UrlLedger:
    """Keeps one record for each page, however its URL is spelled.

    A URL begins as open. `keep` decides an open one. `skip` and `fail` decide an open or a fetched one: a
    page that was fetched may still turn out to be a duplicate or break in conversion. What was once skipped
    or failed stays so, with its first reason, which is the cause; what is reported later changes nothing. The
    exception are URLs that only `nofollow` links lead to: another link may bring them.

    Args:
        records: keep it.
        key: of the record of a URL.
        set_apart: gives a URL another key, where its own is that of another page.

    Attributes:
        observers: told of each change.
        key: of the record of a URL.
    """

    def __init__(
        self,
        records: UrlRecords,
        key: Callable[[str], int] = lambda url: key64(url_key(url)),
        set_apart: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.observers = FrontierObservers()
        self._set_apart = set_apart
        self.key = key
        self._records = records

    def expect(self, targets: Sequence[Target]) -> None:
        """These are about to be added."""
        self._records.expect([self.key(target.url) for target in targets])

    def is_new(self, target: Target) -> bool:
        """Whether `add` would enter a URL, unless another worker does so first."""
        try:
            return self._records.is_new(self.key(target.url), target.url)
        except KeyTakenError:
            self._set_apart(target.url)
            return self._records.is_new(self.key(target.url), target.url)

    def add(self, target: Target, *, is_named: bool = False, refusal: str = "") -> bool:
        """Enter a URL; whether this was the first time that it may be asked for.

        Args:
            target: of the URL.
            is_named: whether the user named it.
            refusal: why a filter refuses it: it is skipped from the start, so that no worker can lease it.
        """
        try:
            is_new = self._records.add(self._record(target, is_named, refusal))
        except KeyTakenError:
            self._set_apart(target.url)
            is_new = self._records.add(self._record(target, is_named, refusal))
        if is_new:
            key = self.key(target.url)
            self.observers.added(key, target.url)
            if refusal:
                self.observers.found(key, target.parent_url, target.depth)
                self.observers.decided(key, target.url, "skipped", refusal)
        return is_new

    def mark_nofollow(self, target: Target) -> bool:
        """Skip a URL as `nofollow` as long as no other link leads to it; whether it is new."""
        is_new = self._records.add_nofollow(self._record(target))
        if is_new:
            self.observers.marked_nofollow(self.key(target.url), target.url)
        return is_new

    def keep(self, url: str, lease: int = 0) -> None:
        """The page came, by a lease; 0 where nobody else can have it.

        Raises:
            LeaseLostError: another process has the page by now; so do `skip` and `fail`.
        """
        self._decide(url, "fetched", "", lease)

    def skip(self, url: str, reason: str, lease: int = 0) -> None:
        """The page was left out on purpose; the reason is a short word to count by."""
        self._decide(url, "skipped", reason, lease)

    def fail(self, url: str, reason: str, lease: int = 0) -> None:
        """The page was lost; the reason is a short word to count by."""
        self._decide(url, "failed", reason, lease)

    def status(self, url: str) -> tuple[Status, str] | None:
        """Status and reason of a URL; None for one that was never seen."""
        record = self._records.get(self.key(url))
        return None if record is None else (record.status, record.reason)

    def close(self, reason: str) -> int:
        """Skip every open URL for one reason, at the end of a crawl; how many there were."""
        skipped = self._records.close(reason)
        self.tell_closed(reason)
        return skipped

    def tell_closed(self, reason: str) -> None:
        """Tell the observers that the crawl ends for a reason."""
        self.observers.closed(reason)

    def counts(self) -> UrlCounts:
        """The state of the crawl in numbers."""
        return self._records.counts()

    def is_anothers(self, url: str) -> bool:
        """Whether somebody is asking for a page at this moment."""
        record = self._records.get(self.key(url))
        return record is not None and bool(record.lease)

    def _decide(self, url: str, status: Status, reason: str, lease: int) -> None:
        record = UrlRecord(self.key(url), url, lease=lease, status=status, reason=reason)
        if self._records.decide(record):
            self.observers.decided(record.key, url, status, reason)

    def _record(self, target: Target, is_named: bool = False, refusal: str = "") -> UrlRecord:
        return UrlRecord(
            self.key(target.url),
            target.url,
            host_of(target.url),
            depth=target.depth,
            priority=-target.depth,  # breadth first
            parent_url=target.parent_url,
            is_named=is_named,
            status="skipped" if refusal else "open",
            reason=refusal,
        )
