"""The values that a frontier's state keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Literal, NamedTuple

Status = Literal["open", "fetched", "skipped", "failed"]

NOFOLLOW = "nofollow"
"""The reason of URLs to which only links lead that ask not to be followed. Another link may reopen them."""

CRASHES = "crashes"
"""The kind of note that counts the processes that died while they leased a record, by its key."""

LEASES = "leases"
"""The kind of note that counts the leases of the crawl, or has the number of the last one."""

_KEY_BYTES = 8


def key64(text: str) -> int:
    """A signed 64-bit hash, the same in every process.

    Among 10 million texts two share a key with a probability of 3 in a million.
    """
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
    return int.from_bytes(digest, "big", signed=True)


class KeyTakenError(Exception):
    """The key of a record is that of another page: two keys of URLs have one hash."""


class LeaseLostError(Exception):
    """A lease ended and perhaps another process has the URL by now: what was to be written with it is not."""


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
        lease: number of the lease by which a process has it, 0 for none: when it began, in microseconds since
            1970, or later, so that each has a higher number than all before it, of whichever process and run.
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
    lease: int = field(default=0, compare=False)
    status: Status = "open"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """How a process leases URLs of a crawl that others work on too.

    Attributes:
        seconds: after which others may take what it did not renew.
        delay_seconds: usual time between two requests to a host; 0.0 for none.
        most: URLs at a time.
        of_host: at a time, of a host without a delay; as many may wait here.
        ahead_seconds: of turns of a host at a time: so long others wait for a process that died over them.
    """

    seconds: float
    delay_seconds: float = 0.0
    most: int = 32
    of_host: int = 8
    ahead_seconds: float = 2.0


class Polled(NamedTuple):
    """What a process finds to do.

    Attributes:
        records: URLs that it leases now.
        side_sites: some hosts of the side queue.
    """

    records: Sequence[UrlRecord]
    side_sites: Sequence[str]


class StoredRecord(NamedTuple):
    """A record as a dump holds it.

    Attributes:
        record: whole where it is open; of a decided one perhaps no more than key, status and reason.
        is_parked: it is leased for good: another URL decides about it.
    """

    record: UrlRecord
    is_parked: bool = False


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

    def closed(self, reason: str) -> "UrlCounts":
        """The same where what is open counts as skipped for a reason."""
        if not self.open:
            return self
        skipped = {**self.skipped, reason: self.skipped.get(reason, 0) + self.open}
        return replace(self, open=0, skipped=skipped)


@dataclass(frozen=True, slots=True)
class HostRow:
    """The facts known about one host. Times are those of the throttle's clock.

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


class NoteEntry(NamedTuple):
    """A note as a dump holds it.

    Attributes:
        kind: of the note.
        key: within the kind.
        value: a counter's value, a set's member, or a text.
        form: which of the three.
    """

    kind: str
    key: int
    value: int | str
    form: Literal["counter", "member", "text"]
