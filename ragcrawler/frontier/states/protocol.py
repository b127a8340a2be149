"""The state of a crawl (its URLs, hosts and notes) as Protocols that a database can implement.

Everything is named by a 64-bit key (`key64`). Each call is atomic by itself, so that a transaction or a
script on a server can serve it. Calls within `transaction()` reach the disk together. A state that several
processes share may apply them one by one: after a break the page is asked for again, and its calls are
repeated.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from ragcrawler.frontier.states.host_rows import HostRows
from ragcrawler.frontier.states.records import (
    CRASHES,
    LEASES,
    NOFOLLOW,
    HostRow,
    KeyTakenError,
    LeaseLostError,
    LeaseTerms,
    NoteEntry,
    Polled,
    Status,
    StoredRecord,
    UrlCounts,
    UrlRecord,
    key64,
)

__all__ = [
    "CRASHES",
    "LEASES",
    "NOFOLLOW",
    "FrontierState",
    "HostRow",
    "HostRows",
    "KeyTakenError",
    "LeaseLostError",
    "LeaseTerms",
    "NoteEntry",
    "Notes",
    "Polled",
    "SharedState",
    "SideQueue",
    "Status",
    "StoredRecord",
    "UrlCounts",
    "UrlRecord",
    "UrlRecords",
    "key64",
]


class UrlRecords(Protocol):
    """The records of all URLs, and who works on which."""

    def expect(self, keys: Sequence[int]) -> None:
        """Records with these keys are about to be added: a state may look them up together."""

    def is_new(self, key: int, url: str) -> bool:
        """Whether `add` would enter the URL: no record has its key, or one that was skipped as `nofollow`.

        Raises:
            KeyTakenError: as `add`.
        """

    def add(self, record: UrlRecord) -> bool:
        """Enter a record, or put it in place of one that was skipped as `nofollow`; whether this call did.

        A record that is skipped already is decided from the start: nobody can lease it.

        Raises:
            KeyTakenError: a record with its key is of another page, as far as the state has kept its URL.
        """

    def add_nofollow(self, record: UrlRecord) -> bool:
        """Enter a record as skipped for `nofollow`, unless the key is known; whether it was not."""

    def decide(self, record: UrlRecord) -> bool:
        """Enter a decided record, or decide one that is open or fetched; whether that changed it.

        Of a known record only status and reason change, and its lease ends. One that is leased is decided by
        who names the lease; about one that is parked another URL decides, which names none.

        Raises:
            LeaseLostError: the record names a lease, and has another one or none by now.
        """

    def get(self, key: int) -> UrlRecord | None:
        """The record. Of one that nobody leases the state may give no more than key, status and reason."""

    def counts(self) -> UrlCounts:
        """The records added up."""

    def close(self, reason: str) -> int:
        """Skip every open record for one reason; how many there were."""

    def lease(self, now: float, until: float, limit: int, sites: Iterable[str]) -> list[UrlRecord]:
        """Take open records that nobody holds, or whose lease ran out by `now`, in the order of the sites.

        Within a site: by priority, then first in, first out; a record that was reopened comes in anew. The
        same transaction counts the attempt, and gives each lease its number.
        """

    def renew(self, key: int, until: float, lease: int) -> bool:
        """Prolong a lease; False where it is another one by now, or ended."""

    def park(self, key: int, lease: int = 0) -> bool:
        """Let nobody lease an open record: another URL decides about it, or its target is in the side queue.

        Returns:
            whether it is parked now: not where a lease holds it that is not the named one.
        """

    def unpark(self, key: int) -> int:
        """Number a lease of a parked record, whose target came from the side queue; 0 unless it is parked.

        It ends with that of the target. Counts as an attempt.
        """

    def release(self, key: int, lease: int) -> None:
        """Give an open record back, to the place in the queue that it had: another may lease it now.

        Does nothing where the lease is another one by now, or ended.
        """

    def take(self, key: int, until: float) -> int:
        """Lease one record by name, for its answer came by itself; 0 unless it is open and nobody's.

        Counts as an attempt.
        """

    def reclaim(self) -> int:
        """End every lease, as if all who hold one had died; how many. What is parked stays so."""

    def sites(self) -> Iterator[str]:
        """The hosts with open records that nobody holds, and perhaps some more, in any order."""

    def queued(self) -> int:
        """Open records that nobody holds."""


class Notes(Protocol):
    """Small things beside the records: counters, sets and texts, each under a kind and a key."""

    def count(self, kind: str, key: int, amount: int = 1) -> int:
        """Add to a counter; its new value."""

    def counter(self, kind: str, key: int) -> int:
        """The value of a counter, 0 at first."""

    def count_named(self, kind: str, amounts: Mapping[str, int]) -> None:
        """Add to counters that have names, all at once."""

    def named_counts(self, kind: str) -> Mapping[str, int]:
        """The counters of a kind that have names."""

    def raise_to(self, kind: str, key: int, value: int) -> None:
        """Set a counter where it is less."""

    def add_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """Put a member into a set of at most `limit` (0: any number); whether it is in it now."""

    def insert_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """Put a member into a set of at most `limit` (0: any number); whether this call did.

        Of several workers that insert the same one, one alone is told so.
        """

    def has_member(self, kind: str, key: int, member: int) -> bool:
        """Whether it is in the set."""

    def size(self, kind: str, key: int) -> int:
        """Members of a set."""

    def put(self, kind: str, key: int, text: str) -> None:
        """Keep a text in place of the last."""

    def swap(self, kind: str, key: int, expected: str | None, text: str) -> bool:
        """Keep a text in place of the expected one, None where there is none; whether it was that.

        Of several workers that put theirs in place of the same one, one alone does.
        """

    def get(self, kind: str, key: int) -> str | None:
        """The text."""

    def pop(self, kind: str, key: int) -> str | None:
        """The text, which is forgotten."""

    def texts(self, kind: str) -> Iterator[str]:
        """All texts of a kind."""

    def discard_member(self, kind: str, key: int, member: int) -> None:
        """Take a member out of a set."""


class SideQueue(Protocol):
    """Targets without a record that could be queued: listings, and pages that are asked for once more.

    Their texts are notes of the kind `asked_target`, under the same keys.
    """

    def put(self, key: int, site: str, text: str) -> None:
        """Queue a text, in place of one that has the key."""

    def restore(self, key: int, site: str, text: str) -> None:
        """Queue a text that a break has left, unless it is queued or leased."""

    def lease(self, site: str, until: float) -> str | None:
        """Take the first text of a host; None where there is none."""

    def end(self, key: int) -> None:
        """Forget a text."""

    def sites(self) -> Iterator[str]:
        """The hosts with texts that nobody holds."""

    def queued(self) -> int:
        """Texts that nobody holds."""


class FrontierState(Protocol):
    """The whole memory of a crawl.

    Kinds of notes in use:

    | kind | key | holds |
    |---|---|---|
    | `asked_target` | URL key, or listing | targets of the side queue, JSON |
    | `delayed_until` | URL key, or listing | JSON |
    | `accepted` | 0 | set of the keys of accepted pages |
    | `asked_spelling` | URL key | spelling that was asked for, where it is not the first |
    | `other_spelling` | URL key | another that was seen |
    | `first_spelling` | URL key | exact spelling of the page's first URL, where it differs from the key |
    | `crashes` | URL key | counter: processes that died while they leased the record |
    | `leases` | 0 | counter: the number of the last lease |
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
    | `totals` | name | counters of the whole crawl, and their names |
    | `missing_page` | site | what the site says to an unknown URL, JSON |
    | `incomplete_site` | site | its name |
    | `scope_host` | host | a URL on a host that the crawl may visit beside its sites |
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

    @property
    def side_queue(self) -> SideQueue:
        """Targets without a record that could be queued."""

    def is_over(self) -> bool:
        """Whether no process has anything to ask for, or is at work on what may lead to more."""

    def keep_leases(self, until: float) -> Collection[int]:
        """Prolong what this process leases and has not parked; the numbers of leases that it has no more."""

    def let_go(self, key: int | None = None) -> None:
        """This process works on a record, or on any, no more: another may lease it when its lease ran out."""

    def release_own(self) -> None:
        """Give back what this process leases: it ends in order. What it has parked stays so."""

    def transaction(self, key: int = 0, lease: int = 0) -> AbstractContextManager[None]:
        """Let all writes within reach the disk together, or none.

        Args:
            key: of a record that is judged within.
            lease: of it; 0 where nobody else can have it.

        Raises:
            LeaseLostError: the record has another lease by now, or none; nothing more is written.
        """

    def close(self) -> None:
        """Write what is still buffered; the state is not used afterwards."""


class SharedState(FrontierState, Protocol):
    """The memory of a crawl on which several processes work."""

    def poll(self, terms: LeaseTerms, left_out: Iterable[str]) -> Polled:
        """Lease URLs of hosts whose turn has come, each with its turn.

        Args:
            terms: of the leases.
            left_out: hosts of which this process can use no more.
        """
