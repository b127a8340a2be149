"""Batches the items of many callers: those that wait while a call runs go into the next one."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batcher(Generic[Item, Result]):
    """Feeds a blocking call with batches made of the items of all callers, one call at a time.

    There is no timer: an idle executor takes what is there at once; while it works the next batch gathers.
    A batch that raises is halved until the guilty items stand alone.

    Args:
        call: the blocking work; gives one result an item.
        executor: where it runs; it should have one thread.
        max_items: items of one call at the most.
        common_error: an error of this type concerns the whole batch, which is not halved then.
    """

    def __init__(
        self,
        call: Callable[[list[Item]], Sequence[Result]],
        executor: Executor,
        *,
        max_items: int,
        common_error: type[Exception] | tuple[()] = (),
    ) -> None:
        self._call = call
        self._executor = executor
        self._max_items = max_items
        self._common_error = common_error
        self._waiting: deque[tuple[Item, asyncio.Future[Result]]] = deque()
        self._worker: asyncio.Task[None] | None = None

    async def submit(self, item: Item) -> Result:
        """The result of the item.

        Raises:
            Exception: the one that the call raised for this item, or for its batch.
        """
        result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, result))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await result

    async def _work(self) -> None:
        while self._waiting:
            size = min(len(self._waiting), self._max_items)
            await self._run([self._waiting.popleft() for _ in range(size)])

    async def _run(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        items = [item for item, _ in batch]
        try:
            results = await asyncio.get_running_loop().run_in_executor(self._executor, self._call, items)
            answers = list(zip(batch, results, strict=True))
        except Exception as error:  # noqa: BLE001 - handed to the caller whose item caused it
            if len(batch) > 1 and not isinstance(error, self._common_error):
                half = len(batch) // 2
                await self._run(batch[:half])
                await self._run(batch[half:])
                return
            for _, waiting in batch:
                if not waiting.done():  # its page may have been given up
                    waiting.set_exception(error)
        else:
            for (_, waiting), result in answers:
                if not waiting.done():
                    waiting.set_result(result)
