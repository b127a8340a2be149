"""The records of URLs in Redis."""

import json
from collections.abc import Iterable, Iterator, Sequence

from ragcrawler.frontier.states.protocol import (
    NOFOLLOW,
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
    unpacked_lease,
    unpacked_outcome,
)
from ragcrawler.frontier.states.redis.open_records import open_records
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


class RedisUrls:
    """See `UrlRecords`. Of an open record that nobody leases, `get` knows key and status alone."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._outcomes = dict(_OUTCOMES)
        self._held: dict[bytes, int] = {}
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
        check = packed_check(record.url)
        is_changed = bool(self._server.call("decide", packed, check, site, outcome, failed, record.lease))
        self._end_lease(packed)
        return is_changed

    def get(self, key: int) -> UrlRecord | None:
        """See `UrlRecords`."""
        packed = packed_key(key)
        known = self._field(f"seen:{_shard(packed)}", packed)
        if known is None:
            return None
        outcome = known[CHECK_BYTES:]
        if outcome == b"l":
            lease, leased = unpacked_lease(self._field("leased", packed) or b"")
            if leased:
                return leased_record(packed, leased, lease)
            return UrlRecord(key, "", attempts=int(self._field("taken", packed) or 0), lease=lease)
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
        return self.leased(found[0::3], found[1::3], found[2::3])

    def leased(
        self, keys: Sequence[bytes], numbers: Sequence[bytes], texts: Sequence[bytes]
    ) -> list[UrlRecord]:
        """The records of leases that were given to this worker."""
        leases = list(map(int, numbers))
        self._held.update(zip(keys, leases, strict=True))
        return [leased_record(*each) for each in zip(keys, texts, leases, strict=True)]

    def renew(self, key: int, until: float, lease: int) -> bool:
        """See `UrlRecords`."""
        return not self._server.call("renew", until, packed_key(key), lease)

    def renew_own(self, until: float) -> list[int]:
        """Prolong all leases that this worker still has and has not parked; the numbers of those it lost."""
        lost = []
        for start in range(0, len(held := sorted(self._held.items())), _AT_ONCE):
            some = held[start : start + _AT_ONCE]
            gone = self._server.call("renew", until, *(each for pair in some for each in pair))
            lost += [self._held.pop(key) for key in gone]
        return lost

    def park(self, key: int, lease: int = 0) -> bool:
        """See `UrlRecords`."""
        packed = packed_key(key)
        is_parked = bool(self._server.call("park", packed, lease))
        if is_parked:
            self._end_lease(packed)
        return is_parked

    def unpark(self, key: int) -> int:
        """See `UrlRecords`."""
        return int(self._server.call("unpark", packed_key(key)))

    def let_go(self, key: int | None) -> None:
        """Prolong the lease of a record, or of all, no more."""
        if key is None:
            self._held.clear()
        else:
            self._held.pop(packed_key(key), None)

    def release_own(self) -> None:
        """Give back all that this worker leases and has not parked."""
        self.renew_own(0.0)
        self._held.clear()

    def release(self, key: int, lease: int) -> None:
        """See `UrlRecords`."""
        packed = packed_key(key)
        self._server.call("release", packed, lease)
        self._end_lease(packed)

    def take(self, key: int, until: float) -> int:
        """See `UrlRecords`."""
        packed = packed_key(key)
        lease = int(self._server.call("take", packed, until))
        if lease:
            self._held[packed] = lease
        return lease

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
            self.add(record)
            self.park(record.key)
        else:
            self.add(record)

    def _end_lease(self, packed: bytes) -> None:
        self._held.pop(packed, None)
        self._server.end_lease(packed)

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
