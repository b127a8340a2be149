"""Work of many callers done together: what waits while a call runs goes into the next one."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(slots=True)
class _Order(Generic[Item, Result]):
    """The items of one caller, and the results as they come."""

    items: Sequence[Item]
    done: asyncio.Future[None]
    results: list[Result | BaseException | None] = field(default_factory=list)


class Batcher(Generic[Item, Result]):
    """Feeds a blocking call with batches made of the items of all callers, one call at a time.

    There is no timer: an idle executor takes what is there at once; while it works the next batch gathers.
    A batch that raises is halved until the guilty items stand alone.

    Args:
        call: the blocking work; gives one result an item.
        executor: where it runs; it should have one thread.
        max_items: items of one call at the most.
        is_running: asked before each call; once it says no, items that wait are given back as None.
    """

    def __init__(
        self,
        call: Callable[[list[Item]], Sequence[Result]],
        executor: Executor,
        *,
        max_items: int,
        is_running: Callable[[], bool],
    ) -> None:
        self._call = call
        self._executor = executor
        self._max_items = max_items
        self._is_running = is_running
        self._orders: deque[_Order[Item, Result]] = deque()
        self._worker: asyncio.Task[None] | None = None
        self.calls = 0

    async def submit(self, items: Sequence[Item]) -> list[Result | BaseException | None]:
        """One entry an item, in order: its result, the error it caused, or None where work had stopped."""
        if not items:
            return []
        order = _Order[Item, Result](items, asyncio.get_running_loop().create_future())
        self._orders.append(order)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        await order.done
        return order.results

    async def _work(self) -> None:
        while self._orders:
            batch = self._next_batch()
            results = await self._results([item for _, item in batch])
            for (order, _), result in zip(batch, results, strict=True):
                order.results.append(result)
                if len(order.results) == len(order.items) and not order.done.done():
                    order.done.set_result(None)

    def _next_batch(self) -> list[tuple[_Order[Item, Result], Item]]:
        """First come, first served; an order larger than a batch goes on in the next one."""
        batch: list[tuple[_Order[Item, Result], Item]] = []
        while self._orders and len(batch) < self._max_items:
            order = self._orders[0]
            start = len(order.results)
            room = self._max_items - len(batch)
            batch += [(order, item) for item in order.items[start : start + room]]
            if start + room < len(order.items):
                break
            self._orders.popleft()
        return batch

    async def _results(self, items: list[Item]) -> list[Result | BaseException | None]:
        if not self._is_running():
            return [None] * len(items)
        loop = asyncio.get_running_loop()
        self.calls += 1
        try:
            return await loop.run_in_executor(self._executor, self._check, items)
        except Exception as error:  # noqa: BLE001 - handed to the caller whose item caused it
            if len(items) == 1:
                return [error]
        half = len(items) // 2
        return await self._results(items[:half]) + await self._results(items[half:])

    def _check(self, items: list[Item]) -> list[Result | BaseException | None]:
        results = self._call(items)
        if len(results) != len(items):
            raise RuntimeError(f"{len(items)} items gave {len(results)} results")
        return list(results)
