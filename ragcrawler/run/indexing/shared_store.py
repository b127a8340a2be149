"""The store of a running crawl, for others than its pipelines."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from ragcrawler.items import SemanticChunk
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.stores import ChunkStore, CollectionModels, Hit, ReadableStore, StoredPoint, StoreError
from ragcrawler.stores.filters import Filters
from ragcrawler.stores.search_request import SearchRequest

Result = TypeVar("Result")

_A_TURN = 256


class SharedStore(ReadableStore):
    """Reads a store that a crawl writes: each call takes its turn on the thread that owns the store.

    Threads may share it. A call waits until it is answered, so the event loop must not make it: use
    `asyncio.to_thread`. What it finds is what was written before.

    Args:
        store: open.
        thread: that owns it.
    """

    def __init__(self, store: ChunkStore, thread: SingleThreadExecutor) -> None:
        self._store = store
        self._thread = thread

    @property
    def location(self) -> str:
        return self._store.location

    def models(self) -> CollectionModels | None:
        return self._do(self._store.models)

    def search(self, request: SearchRequest) -> list[Hit]:
        return self._do(lambda: self._store.search(request))

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        return self._do(lambda: self._store.get(ids))

    def scroll(self, *, filters: Filters | None = None) -> Iterator[SemanticChunk]:
        """Every chunk that fits; the crawl goes on writing between two batches."""
        return self._in_turns(lambda: iter(self._store.scroll(filters=filters)))

    def points(self, ids: Sequence[str] | None = None) -> Iterator[StoredPoint]:
        """The points as they are; the crawl goes on writing between two batches."""
        return self._in_turns(lambda: iter(self._store.points(ids)))

    def count(self, *, filters: Filters | None = None) -> int:
        return self._do(lambda: self._store.count(filters=filters))

    def close(self) -> None:
        """Leave the store open: the crawl owns it."""

    def _in_turns(self, begin: Callable[[], Iterator[Result]]) -> Iterator[Result]:
        read = self._do(begin)
        while batch := self._do(lambda: list(islice(read, _A_TURN))):
            yield from batch

    def _do(self, call: Callable[[], Result]) -> Result:
        try:
            turn = self._thread.executor.submit(call)
        except RuntimeError as error:  # the executor takes no more calls
            raise StoreError(
                f"The collection {self.location!r} is closed: its crawl has ended. Open it by itself."
            ) from error
        return turn.result()
