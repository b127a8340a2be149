"""What became of every URL that was seen: the numbers of the report come from here and add up."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, Protocol

from ragcrawler.urls.identity import url_key

Fate = Literal["open", "fetched", "skipped", "failed"]
NOFOLLOW = "nofollow"
"""Why a URL is passed over."""

_KEY_BYTES = 8
_OPEN = 0
_FETCHED = 1
_PASSED_OVER = 2


@dataclass(frozen=True, slots=True)
class LedgerCounts:
    """The ledger added up: `seen == open + fetched + sum(skipped) + sum(failed)`, at any time.

    Attributes:
        seen: distinct URLs.
        open: not yet decided; 0 after `UrlLedger.close`.
        fetched: pages that came and went on to the pipelines.
        skipped: by reason, what was left out on purpose.
        failed: by reason, what was lost.
    """

    seen: int
    open: int
    fetched: int
    skipped: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)


class LedgerObserver(Protocol):
    """Told of each change in a ledger, with the URL that the ledger forgets."""

    def entered(self, url: str) -> None:
        """A URL is open: seen for the first time, or passed over before."""

    def passed_over(self, url: str) -> None:
        """A URL is skipped as `nofollow`, unless it is entered later."""

    def decided(self, url: str, fate: Fate, reason: str) -> None:
        """A URL came to its end."""

    def closed(self, reason: str) -> None:
        """Every open URL is skipped for one reason."""


class UrlLedger:
    """Keeps one fate for each page, however it is spelled, in about 100 bytes (a 64-bit hash of its key).

    A URL begins as open. `fetched` decides an open one. `skipped` and `failed` decide an open or a fetched
    one: a page that was fetched may still turn out to be a duplicate or break in conversion. What was once
    skipped or failed stays so, with its first reason, which is the cause; what is reported later changes
    nothing. The exception are URLs that were passed over: another link may bring them. Among 10 million URLs
    two share a hash with a probability of 3 in a million; the second would pass for seen.

    Attributes:
        observer: told of each change, None for nobody.
    """

    def __init__(self) -> None:
        self.observer: LedgerObserver | None = None
        # The values are indices into `_fates`: small integers, of which Python keeps one object each.
        self._fate_of: dict[bytes, int] = {}
        self._fates: list[tuple[Fate, str]] = [("open", ""), ("fetched", ""), ("skipped", NOFOLLOW)]
        self._index: dict[tuple[Fate, str], int] = {fate: index for index, fate in enumerate(self._fates)}
        self._counts: Counter[int] = Counter()

    def seen(self, url: str) -> bool:
        """Enter a URL; whether this was the first time that it may be asked for."""
        key = _key(url)
        fate = self._fate_of.get(key)
        if fate is None:
            self._enter(key)
        elif fate == _PASSED_OVER:
            self._move(key, fate, _OPEN)
        else:
            return False
        if self.observer is not None:
            self.observer.entered(url)
        return True

    def passed_over(self, url: str) -> bool:
        """Skip a URL as `nofollow` as long as no link leads to it that may be followed; whether it is new."""
        key = _key(url)
        is_new = key not in self._fate_of
        if is_new:
            self._enter(key)
            self._move(key, _OPEN, _PASSED_OVER)
            if self.observer is not None:
                self.observer.passed_over(url)
        return is_new

    def fetched(self, url: str) -> None:
        """The page came."""
        self._decide(url, "fetched", "")

    def skipped(self, url: str, reason: str) -> None:
        """The page was left out on purpose; the reason is a short word to count by."""
        self._decide(url, "skipped", reason)

    def failed(self, url: str, reason: str) -> None:
        """The page was lost; the reason is a short word to count by."""
        self._decide(url, "failed", reason)

    def fate(self, url: str) -> tuple[Fate, str] | None:
        """What became of a URL, and why; None for one that was never seen."""
        index = self._fate_of.get(_key(url))
        return None if index is None else self._fates[index]

    def close(self, reason: str) -> int:
        """Skip every open URL for one reason, at the end of a crawl; how many there were."""
        remaining = [key for key, index in self._fate_of.items() if index == _OPEN]
        for key in remaining:
            self._move(key, _OPEN, self._index_of("skipped", reason))
        if self.observer is not None:
            self.observer.closed(reason)
        return len(remaining)

    def counts(self) -> LedgerCounts:
        """The state of the crawl in numbers."""
        skipped, failed = (
            {
                self._fates[index][1]: count
                for index, count in self._counts.items()
                if count and self._fates[index][0] == fate
            }
            for fate in ("skipped", "failed")
        )
        return LedgerCounts(len(self._fate_of), self._counts[_OPEN], self._counts[_FETCHED], skipped, failed)

    def _enter(self, key: bytes) -> None:
        self._fate_of[key] = _OPEN
        self._counts[_OPEN] += 1

    def _decide(self, url: str, fate: Fate, reason: str) -> None:
        key = _key(url)
        if key not in self._fate_of:
            self._enter(key)
        current = self._fate_of[key]
        if current in (_OPEN, _FETCHED):
            self._move(key, current, self._index_of(fate, reason))
            if self.observer is not None:
                self.observer.decided(url, fate, reason)

    def _move(self, key: bytes, current: int, target: int) -> None:
        self._counts[current] -= 1
        self._counts[target] += 1
        self._fate_of[key] = target

    def _index_of(self, fate: Fate, reason: str) -> int:
        index = self._index.get((fate, reason))
        if index is None:
            index = self._index[fate, reason] = len(self._fates)
            self._fates.append((fate, reason))
        return index


def _key(url: str) -> bytes:
    return blake2b(url_key(url).encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
