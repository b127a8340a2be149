"""The shared crawls of a Redis, for `scrapy crawls`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ragcrawler.config.crawling.sharing import SharingConfig
from ragcrawler.frontier.states.dump import DumpableState
from ragcrawler.frontier.states.redis import RedisStateError
from ragcrawler.frontier.states.redis.crawls import RedisCrawls
from ragcrawler.run.saved_crawls.crawl_places import CrawlRecord, taken, unknown
from ragcrawler.run.saved_crawls.saved_crawl import check_name
from ragcrawler.run.sharing.shared_crawl import redis_address


class RedisPlace:
    """See `CrawlPlace`.

    Args:
        config: where it is.

    Raises:
        RedisStateError: it cannot be used.
    """

    def __init__(self, config: SharingConfig) -> None:
        self._crawls = RedisCrawls(redis_address(config))

    def names(self) -> Sequence[str]:
        """See `CrawlPlace`."""
        return list(self._crawls.all())

    @contextmanager
    def open(self, name: str) -> Iterator[CrawlRecord]:
        """See `CrawlPlace`."""
        state = self._crawls.find(name)
        if state is None:
            raise unknown(name)
        try:
            yield CrawlRecord(state, state.workers.alive() > 0)
        finally:
            state.close()

    def delete(self, name: str) -> None:
        """See `CrawlPlace`."""
        state = self._crawls.find(name)
        if state is None:
            raise unknown(name)
        if workers := state.workers.alive():
            raise RedisStateError(f"workers on the crawl {name}: {workers}; wait for their end, or stop them")
        self._crawls.drop(name, state)

    @contextmanager
    def create(self, name: str) -> Iterator[DumpableState]:
        """See `CrawlPlace`."""
        check_name(name)
        if name in self._crawls.all():
            raise taken(name)
        state = self._crawls.unnamed()
        is_entered = False
        try:
            yield state
            is_entered = self._crawls.enter(name, state)
            if not is_entered:
                raise taken(name)
        finally:
            if not is_entered:
                self._crawls.drop(name, state)
