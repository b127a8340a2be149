"""The records of URLs in Redis."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ragcrawler.frontier.states.protocol import (
    NOFOLLOW,
    PARKED,
    KeyTakenError,
    Status,
    StoredRecord,
    UrlCounts,
    UrlRecord,
)
from ragcrawler.frontier.states.redis.entries import (
    CHECK_BYTES,
    bytes_of,
    is_other_page,
    leased_record,
    packed_check,
    packed_entry,
    packed_key,
    packed_outcome,
    unpacked_key,
    unpacked_outcome,
)
from ragcrawler.frontier.states.redis.open_records import TAKEN, open_records
from ragcrawler.frontier.states.redis.server import RedisServer
from ragcrawler.urls.host import host_of

_AT_ONCE = 1000
_OPEN = (b"o", b"l")
_OUTCOMES: dict[bytes, tuple[Status, str]] = {
    b"o": ("open", ""),
    b"l": ("open", ""),
    b"f": ("fetched", ""),
    b"n": ("skipped", NOFOLLOW),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """A worker's turn at a host.

    Attributes:
        seconds: until its next turn, 0.0 where it has come.
        record: leased; None where the turn has not come, or nothing is queued.
    """

    seconds: float
    record: UrlRecord | None


class RedisUrls:
    """See `UrlRecords`. Of an open record that nobody leases, `get` knows key and status alone."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._outcomes = dict(_OUTCOMES)
        self._held: set[bytes] = set()
        self._expected: dict[bytes, bytes] = {}

    def expect(self, keys: Sequence[int]) -> None:
        """See `UrlRecords`."""
        self._expected = {}
        packed = [packed_key(key) for key in keys]
        for start in range(0, len(packed), _AT_ONCE):
            some = packed[start : start + _AT_ONCE]
            self._expected.update(zip(some, self._server.call("known", *some), strict=True))

    def is_new(self, key: int, url: str) -> bool:
        """See `UrlRecords`."""
        packed = packed_key(key)
        known = self._expected.pop(packed, None)  # what was not there may be there by the next time
        if known is None:
            (known,) = self._server.call("known", packed)
        check, outcome = known[:CHECK_BYTES], known[CHECK_BYTES:]
        if known and is_other_page(packed_check(url), check):
            raise KeyTakenError(url)
        return self._outcome(outcome)[1] == NOFOLLOW if known else True

    def add(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        parent = bytes_of(record.parent_url)
        key, check, entry = packed_key(record.key), packed_check(record.url), packed_entry(record)
        decided = b"" if record.status == "open" else packed_outcome(record.status, record.reason)
        self._expected.pop(key, None)
        answer = self._server.call("add", key, check, record.site, record.priority, entry, parent, decided)
        if answer < 0:
            raise KeyTakenError(record.url)
        return bool(answer)

    def add_nofollow(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        self._expected.pop(packed_key(record.key), None)
        return bool(self._server.call("add_nofollow", packed_key(record.key), packed_check(record.url)))

    def decide(self, record: UrlRecord) -> bool:
        """See `UrlRecords`."""
        outcome = packed_outcome(record.status, record.reason)
        failed = json.dumps([record.url, record.reason]) if record.status == "failed" else ""
        site, packed = record.site or host_of(record.url), packed_key(record.key)
        self._held.discard(packed)
        check = packed_check(record.url)
        return bool(self._server.call("decide", packed, check, site, outcome, failed))

    def get(self, key: int) -> UrlRecord | None:
        """See `UrlRecords`."""
        packed = packed_key(key)
        known = self._field(f"seen:{_shard(packed)}", packed)
        if known is None:
            return None
        outcome = known[CHECK_BYTES:]
        if outcome == b"l":
            leased = self._field("leased", packed)
            if leased is not None and leased.startswith(TAKEN):
                return UrlRecord(key, "", attempts=int(self._field("taken", packed) or 0))
            if leased is not None:
                return leased_record(packed, leased)
        status, reason = self._outcome(outcome)
        return UrlRecord(key, "", status=status, reason=reason)

    def counts(self) -> UrlCounts:
        """See `UrlRecords`."""
        counts = self._server.read("counts", lambda redis, name: redis.hgetall(name))
        by_reason: dict[Status, dict[str, int]] = {"open": {}, "fetched": {}, "skipped": {}, "failed": {}}
        for outcome, count in counts.items():
            status, reason = self._outcome(outcome)
            if int(count):
                by_reason[status][reason] = by_reason[status].get(reason, 0) + int(count)
        return UrlCounts(
            seen=sum(map(int, counts.values())),
            open=sum(by_reason["open"].values()),
            fetched=sum(by_reason["fetched"].values()),
            skipped=by_reason["skipped"],
            failed=by_reason["failed"],
        )

    def close(self, reason: str) -> int:
        """See `UrlRecords`."""
        outcome, closed = packed_outcome("skipped", reason), 0
        while count := int(self._server.call("close", outcome, _AT_ONCE)):
            closed += count
        return closed

    def lease(self, now: float, until: float, limit: int, sites: Iterable[str]) -> list[UrlRecord]:
        """See `UrlRecords`."""
        found = self._server.call("lease", now, until, limit, *sites)
        self._hold(found[::2], until)
        return [leased_record(key, text) for key, text in zip(found[::2], found[1::2], strict=True)]

    def renew(self, key: int, until: float) -> bool:
        """See `UrlRecords`."""
        packed = packed_key(key)
        is_renewed = bool(self._server.call("renew", until, packed))
        if until == PARKED:
            self._held.discard(packed)
        return is_renewed

    def renew_own(self, until: float) -> int:
        """Prolong all leases that this worker still has and has not parked; how many it had lost.

        A page that was lost so is another worker's too by now: who decides it first has decided it.
        """
        lost = 0
        for start in range(0, len(held := sorted(self._held)), _AT_ONCE):
            gone = self._server.call("renew_own", until, *held[start : start + _AT_ONCE])
            self._held.difference_update(gone)
            lost += len(gone)
        return lost

    def let_go(self, key: int | None) -> None:
        """Prolong the lease of a record, or of all, no more."""
        if key is None:
            self._held.clear()
        else:
            self._held.discard(packed_key(key))

    def release_own(self) -> None:
        """Give back all that this worker leases and has not parked."""
        self.renew_own(0.0)
        self._held.clear()

    def release(self, key: int) -> None:
        """See `UrlRecords`."""
        self._held.discard(packed_key(key))
        self._server.call("release", packed_key(key))

    def next(self, site: str, delay_seconds: float, lease_seconds: float) -> "Turn":
        """Take the host's turn and lease a URL of it, both or none, by the clock of Redis.

        Args:
            site: the host.
            delay_seconds: least time between two requests to it, of all workers together.
            lease_seconds: how long the URL is this worker's, unless it renews that.
        """
        left, *leased = self._server.call("next", site, delay_seconds, lease_seconds)
        self._hold(leased[:1], lease_seconds)
        return Turn(float(left), leased_record(leased[0], leased[1]) if leased else None)

    def take(self, key: int, until: float) -> bool:
        """See `UrlRecords`."""
        is_taken = bool(self._server.call("take", packed_key(key), until))
        self._hold([packed_key(key)] if is_taken else [], until)
        return is_taken

    def reclaim(self) -> int:
        """See `UrlRecords`."""
        reclaimed = 0
        while count := int(self._server.call("reclaim", _AT_ONCE)):
            reclaimed += count
        return reclaimed

    def sites(self) -> Iterator[str]:
        """See `UrlRecords`."""
        return iter([site.decode() for site in self._server.call("sites")])

    def queued(self) -> int:
        """See `UrlRecords`."""
        return int(self._field("counts", b"o") or 0)

    def records(self) -> Iterator[StoredRecord]:
        """See `UrlRecords`. The decided ones come first, then those of each queue in their order."""
        for shard in self._server.names("seen:"):
            for key, known in self._server.hash(self._server.key(f"seen:{shard}")).items():
                if (outcome := known[CHECK_BYTES:]) not in _OPEN:
                    status, reason = self._outcome(outcome)
                    yield StoredRecord(UrlRecord(unpacked_key(key), "", status=status, reason=reason))
        yield from open_records(self._server)

    def restore(self, stored: StoredRecord) -> None:
        """See `UrlRecords`."""
        record = stored.record
        if record.status != "open":
            self.decide(record)
        elif stored.is_parked:
            self.add(replace(record, attempts=record.attempts - 1))
            self.take(record.key, PARKED)
        else:
            self.add(record)

    def _hold(self, keys: Iterable[bytes], until: float) -> None:
        if until != PARKED:
            self._held.update(keys)

    def _field(self, name: str, field: bytes) -> bytes | None:
        value: bytes | None = self._server.read(name, lambda redis, whole: redis.hget(whole, field))
        return value

    def _outcome(self, packed: bytes) -> tuple[Status, str]:
        if packed not in self._outcomes:
            texts = self._server.read("outcomes", lambda redis, name: redis.lrange(name, 0, -1))
            for number, text in enumerate(texts):
                self._outcomes[str(number).encode()] = unpacked_outcome(text)
        return self._outcomes[packed]


def _shard(packed: bytes) -> int:
    return packed[0] * 16 + packed[1] // 16
