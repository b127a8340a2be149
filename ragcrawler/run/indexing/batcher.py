"""Batches the items of many callers: those that wait while a call runs go into the next one."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(slots=True)
class _Submission(Generic[Item, Result]):
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
        self._submissions: deque[_Submission[Item, Result]] = deque()
        self._worker: asyncio.Task[None] | None = None
        self.calls = 0

    async def submit(self, items: Sequence[Item]) -> list[Result | BaseException | None]:
        """One entry an item, in order: its result, the error it caused, or None where work had stopped."""
        if not items:
            return []
        submission = _Submission[Item, Result](items, asyncio.get_running_loop().create_future())
        self._submissions.append(submission)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        await submission.done
        return submission.results

    async def _work(self) -> None:
        while self._submissions:
            batch = self._next_batch()
            results = await self._results([item for _, item in batch])
            for (submission, _), result in zip(batch, results, strict=True):
                submission.results.append(result)
                if len(submission.results) == len(submission.items) and not submission.done.done():
                    submission.done.set_result(None)

    def _next_batch(self) -> list[tuple[_Submission[Item, Result], Item]]:
        """First come, first served; one larger than a batch goes on in the next one."""
        batch: list[tuple[_Submission[Item, Result], Item]] = []
        while self._submissions and len(batch) < self._max_items:
            submission = self._submissions[0]
            start = len(submission.results)
            room = self._max_items - len(batch)
            batch += [(submission, item) for item in submission.items[start : start + room]]
            if start + room < len(submission.items):
                break
            self._submissions.popleft()
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
