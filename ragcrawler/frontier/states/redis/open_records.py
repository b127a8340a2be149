"""All open records in Redis, for a dump: nobody works on the crawl meanwhile."""

from collections.abc import Iterator
from math import isinf

from ragcrawler.frontier.states.records import StoredRecord
from ragcrawler.frontier.states.redis.entries import leased_record, text_of, unpacked_lease
from ragcrawler.frontier.states.redis.server import RedisServer

_AT_ONCE = 1000


def open_records(server: RedisServer) -> Iterator[StoredRecord]:
    """Those that came back, those that are leased, then those of each queue in their order."""
    leases = server.do(lambda redis: redis.zrange(server.key("leases"), 0, -1, withscores=True))
    parked = {key for key, until in leases if isinf(until)}
    for name in ("returned", "leased"):
        for key, packed in server.hash(server.key(name)).items():
            _, text = unpacked_lease(packed)
            if text:
                yield StoredRecord(leased_record(key, text), key in parked)
    for queue in sorted(server.names("queue:")):
        site, _, priority = queue.rpartition(" ")
        for key, text in _queued(server, site, priority):
            yield StoredRecord(leased_record(key, text), key in parked)


def _queued(server: RedisServer, site: str, priority: str) -> Iterator[tuple[bytes, bytes]]:
    parent, position, looked_at = "", 0, _AT_ONCE
    while looked_at == _AT_ONCE:
        packed_parent, looked_at, *found = server.call("queue", site, priority, position, _AT_ONCE, parent)
        parent, position = text_of(packed_parent), position + looked_at
        yield from zip(found[::2], found[1::2], strict=True)
