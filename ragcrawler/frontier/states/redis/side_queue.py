"""Targets without a record that could be queued, in Redis."""

from collections.abc import Callable, Iterable, Iterator

from ragcrawler.frontier.states.redis.entries import bytes_of, packed_key, text_of
from ragcrawler.frontier.states.redis.server import RedisServer
from ragcrawler.frontier.states.side_queue import ASKED

_SITES = "side_sites"


class RedisSideQueue:
    """See `SideQueue`. A lease that ran out goes to another worker.

    Args:
        server: of the crawl.
        clock: of the server.
    """

    def __init__(self, server: RedisServer, clock: Callable[[], float]) -> None:
        self._server = server
        self._clock = clock
        self._held: set[bytes] = set()
        self._sites: set[str] = set()

    def put(self, key: int, site: str, text: str) -> None:
        """See `SideQueue`."""
        self._held.discard(packed_key(key))
        self._sites.add(site)
        self._server.call("side_put", packed_key(key), site, bytes_of(text), 0)

    def restore(self, key: int, site: str, text: str) -> None:
        """See `SideQueue`."""
        self._server.call("side_put", packed_key(key), site, bytes_of(text), 1)

    def lease(self, site: str, until: float) -> str | None:
        """See `SideQueue`. A host of which `sites` and `put` told nothing is not asked for."""
        if site not in self._sites:
            return None
        found = self._server.call("side_lease", site, self._clock(), until)
        if not found:
            self._sites.discard(site)
            return None
        self._held.add(found[0])
        return text_of(found[1])

    def end(self, key: int) -> None:
        """See `SideQueue`."""
        packed = packed_key(key)
        self._held.discard(packed)
        for command, name in (("ZREM", "side_leases"), ("HDEL", "side_held"), ("HDEL", f"texts:{ASKED}")):
            self._server.write(command, name, packed)

    def renew_own(self, until: float) -> None:
        """Prolong all leases that this worker still has."""
        if self._held:
            self._held.difference_update(self._server.call("side_renew", until, *sorted(self._held)))

    def let_go(self) -> None:
        """Prolong no lease any more."""
        self._held.clear()

    def release_own(self) -> None:
        """Give back what this worker leases."""
        self.renew_own(0.0)
        self._held.clear()

    def reclaim(self) -> None:
        """End all leases."""
        self._server.call("side_release", "+inf")

    def sites(self) -> Iterator[str]:
        """See `SideQueue`; those of leases that ran out included."""
        self._server.call("side_release", self._clock())
        found = self._server.read(_SITES, lambda redis, name: redis.smembers(name))
        self._sites = set()
        return iter(sorted(self.with_sites(found)))

    def with_sites(self, found: Iterable[bytes]) -> list[str]:
        """Hosts that have texts, as a script gave them: they may be asked for."""
        sites = [site.decode() for site in found]
        self._sites.update(sites)
        return sites

    def queued(self) -> int:
        """See `SideQueue`."""
        texts = self._server.read(f"texts:{ASKED}", lambda redis, name: redis.hlen(name))
        return int(texts) - int(self._server.read("side_leases", lambda redis, name: redis.zcard(name)))
