"""All that a crawl must remember about its URLs and sites, as Protocols that a database can implement.

Everything is named by a 64-bit key (`key64`). Each call is atomic by itself, so that a transaction or a
script on a server can serve it. Calls within `transaction()` reach the disk together. A state that several
processes share may apply them one by one: after a break the page is asked for again, and its calls are
repeated.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, Protocol

Status = Literal["open", "fetched", "skipped", "failed"]

NOFOLLOW = "nofollow"
"""The reason of URLs to which only links lead that ask not to be followed. Another link may reopen them."""

_KEY_BYTES = 8


def key64(text: str) -> int:
    """A signed 64-bit hash, the same in every process.

    Among 10 million texts two share a key with a probability of 3 in a million.
    """
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
    return int.from_bytes(digest, "big", signed=True)


@dataclass(frozen=True, slots=True)
class UrlRecord:
    """One URL of the crawl. Redirects, retries and canonical detours keep one record.

    Attributes:
        key: of all spellings of the URL.
        url: the spelling that is asked for.
        site: the host, by which requests are throttled.
        depth: links followed from a start URL.
        parent_url: where it was found, "" for a named URL.
        priority: higher ones are leased first.
        is_named: whether the user named it.
        attempts: leases so far.
        status: what became of it.
        reason: a short word to count by, "" while it is open or where it was fetched.
    """

    key: int
    url: str
    site: str = ""
    depth: int = 0
    parent_url: str = ""
    priority: int = 0
    is_named: bool = False
    attempts: int = 0
    status: Status = "open"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UrlCounts:
    """All records added up: `seen == open + fetched + sum(skipped) + sum(failed)`, at any time.

    Attributes:
        seen: distinct URLs.
        open: not yet decided.
        fetched: pages that came and went on to the pipelines.
        skipped: by reason, left out on purpose.
        failed: by reason, lost.
    """

    seen: int
    open: int
    fetched: int
    skipped: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HostRow:
    """What is known about one host. Times are those of the throttle's clock.

    Attributes:
        next_at: no request before this time.
        delay_seconds: least time between two requests, as the host asked for.
        held_until: nothing is asked for until then.
        is_given_up: nothing is asked for any more.
        in_flight: requests that left the queue and have not ended.
        failures: consecutive ones since the last pause.
        pauses: in a row, without a success between them.
    """

    next_at: float = 0.0
    delay_seconds: float = 0.0
    held_until: float = 0.0
    is_given_up: bool = False
    in_flight: int = 0
    failures: int = 0
    pauses: int = 0


class UrlRecords(Protocol):
    """The records of all URLs, and who works on which."""

    def add(self, record: UrlRecord) -> bool:
        """Enter a record, or reopen one that was skipped as `nofollow`; whether it may be asked for now."""

    def add_nofollow(self, record: UrlRecord) -> bool:
        """Enter a record as skipped for `nofollow`, unless the key is known; whether it was not."""

    def decide(self, record: UrlRecord) -> bool:
        """Enter a decided record, or decide one that is open or fetched; whether that changed it.

        Of a known record only status and reason change, and its lease ends.
        """

    def get(self, key: int) -> UrlRecord | None:
        """The record. Of one that nobody leases the state may give no more than key, status and reason."""

    def counts(self) -> UrlCounts:
        """The records added up."""

    def close(self, reason: str) -> int:
        """Skip every open record for one reason; how many there were."""

    def lease(self, now: float, until: float, limit: int, sites: Iterable[str]) -> list[UrlRecord]:
        """Take open records that nobody holds, or whose lease ran out by `now`, in the order of the sites.

        Within a site: by priority, then first in, first out. The same transaction counts the attempt.
        """

    def renew(self, key: int, until: float) -> bool:
        """Prolong a lease; False where it ended."""

    def release(self, key: int) -> None:
        """Give an open record back: another may lease it now."""


class HostRows(Protocol):
    """The row of each host. Hosts that were not used for long may be forgotten where there are too many."""

    def get(self, site: str) -> HostRow:
        """The row, or an empty one."""

    def set_delay(self, site: str, seconds: float) -> None:
        """Set the least time between two requests."""

    def hold(self, site: str, until: float) -> bool:
        """Set `held_until` where that prolongs it; whether it did."""

    def give_up(self, site: str) -> None:
        """Ask the host for nothing any more."""

    def begin_request(self, site: str, next_at: float = 0.0) -> None:
        """Count a request in flight, and set when the next may follow."""

    def end_request(self, site: str) -> None:
        """Count it off."""

    def set_failures(self, site: str, failures: int, pauses: int) -> None:
        """Set both numbers."""


class Notes(Protocol):
    """Small things beside the records: counters, sets and texts, each under a kind and a key."""

    def count(self, kind: str, key: int, amount: int = 1) -> int:
        """Add to a counter; its new value."""

    def counter(self, kind: str, key: int) -> int:
        """The value of a counter, 0 at first."""

    def raise_to(self, kind: str, key: int, value: int) -> None:
        """Set a counter where it is less."""

    def add_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """Put a member into a set of at most `limit` (0: any number); whether it is in it now."""

    def has_member(self, kind: str, key: int, member: int) -> bool:
        """Whether it is in the set."""

    def size(self, kind: str, key: int) -> int:
        """Members of a set."""

    def put(self, kind: str, key: int, text: str) -> None:
        """Keep a text in place of the last."""

    def get(self, kind: str, key: int) -> str | None:
        """The text."""

    def pop(self, kind: str, key: int) -> str | None:
        """The text, which is forgotten."""

    def texts(self, kind: str) -> Iterator[str]:
        """All texts of a kind."""


class FrontierState(Protocol):
    """The whole memory of a crawl.

    Kinds of notes in use:

    | kind | key | holds |
    |---|---|---|
    | `accepted` | 0 | set of the keys of accepted pages |
    | `asked_spelling`, `other_spelling` | URL key | spelling that was asked for; another that was seen |
    | `first_spelling` | URL key | exact spelling of the page's first URL, where it differs from the key |
    | `apart` | 0 | set of keys of URLs that have a record beside the one of their key |
    | `page_text` | URL key; site | hash of a page's text; counter of them |
    | `trial`, `tried_by` | URL key | which spellings are compared, and where |
    | `trials`, `same_text`, `other_text` | rule and site | counters |
    | `deferred`, `deferred` and the key | rule and site; URL | set, and targets as JSON |
    | `joined` | 0 | set of URLs that passed for another spelling of a page |
    | `waits_for`, `waiting`, `chain` | URL key | pages that wait for their canonical, JSON |
    | `date`, `facet` | template, path | set of admitted URLs |
    | `facet_values` | path and parameter | set of values |
    | `facet_values` | path | counter: values of its most varied parameter |
    | `best_version` | folder of versions | JSON |
    | `listing` | 0 | set of listings that were asked for |
    | `listing_folder` | 0 | set of folders whose listings were asked for |
    | `listing_files`, `listing_urls` | site | counters |
    | `planned_page` | 0 | counter |
    | `same_title` | site and title | counter |
    | `missing_page` | site | what the site says to an unknown URL, JSON |
    | `blind_site` | site | its name |
    """

    @property
    def urls(self) -> UrlRecords:
        """The records of URLs."""

    @property
    def hosts(self) -> HostRows:
        """The rows of hosts."""

    @property
    def notes(self) -> Notes:
        """All else."""

    def transaction(self) -> AbstractContextManager[None]:
        """Let all writes within reach the disk together, or none."""

    def close(self) -> None:
        """Write what is still buffered; the state is not used afterwards."""
