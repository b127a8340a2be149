"""Batches the texts of many callers for one model by their lengths."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Generic, TypeVar

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.protocol import ModelUnavailableError

Result = TypeVar("Result")

_LOOK_SECONDS = 0.25
# For each run that works three more wait in the executor: to ask a busy event loop for one takes its time.
_RUNS_AHEAD = 4
_GRACE_SECONDS = 5.0  # for runs that had begun when the crawl was interrupted


@dataclass(slots=True)
class _Waiting(Generic[Result]):
    text: str
    cost: int
    outcome: asyncio.Future[Result | BaseException | None]


class LengthBatcher(Generic[Result]):
    """Keeps a model busy: as soon as a run ends, the next one takes the text that waits longest.

    With it go those of the waiting texts, of whatever page, that are nearest to its length, as far as a run
    takes several. No page waits for a round to be full or over, and a page's results come when they are
    made. A run that raises is halved until the guilty texts stand alone.

    Args:
        call: the blocking work; one result a text. Several threads call it at once.
        limits: of one run, and of the runs at a time.
        executor: with a thread for each run; lanes on the same processor share it.
        is_running: once it says no, texts that wait are given back as None, and soon those of a long run.
    """

    def __init__(
        self,
        call: Callable[[Sequence[str]], Sequence[Result]],
        limits: BatchLimits,
        *,
        executor: Executor,
        is_running: Callable[[], bool],
    ) -> None:
        self._call = call
        self._limits = limits
        self._executor = executor
        self._is_running = is_running
        self._waiting: list[_Waiting[Result]] = []
        self._workers = 0
        self._tasks: set[asyncio.Task[None]] = set()  # the loop itself holds them only weakly

    async def submit(self, texts: Sequence[str]) -> list[Result | BaseException | None]:
        """One entry a text, in order: its result, the error it caused, or None where work had stopped."""
        loop = asyncio.get_running_loop()
        mine = [_Waiting[Result](text, self._limits.cost(text), loop.create_future()) for text in texts]
        self._waiting += mine
        for _ in range(min(len(mine), self._limits.runs * _RUNS_AHEAD - self._workers)):
            self._workers += 1
            task = asyncio.create_task(self._work())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return [await waiting.outcome for waiting in mine]

    async def _work(self) -> None:
        while self._waiting:
            batch = self._take()
            results = await self._results([waiting.text for waiting in batch])
            for waiting, result in zip(batch, results, strict=True):
                if not waiting.outcome.done():  # its page may have been given up
                    waiting.outcome.set_result(result)
        self._workers -= 1

    def _take(self) -> list[_Waiting[Result]]:
        if self._limits.texts == 1:
            return [self._waiting.pop(0)]
        oldest = self._waiting[0].cost
        like = sorted(self._waiting, key=lambda waiting: abs(waiting.cost - oldest))
        batch = like[: self._limits.fitting([waiting.cost for waiting in like[: self._limits.texts]])]
        taken = {id(waiting) for waiting in batch}
        self._waiting = [waiting for waiting in self._waiting if id(waiting) not in taken]
        return batch

    async def _results(self, texts: list[str]) -> Sequence[Result | BaseException | None]:
        try:
            return await self._run(texts)
        except Exception as error:  # noqa: BLE001 - handed to the caller whose text caused it
            if len(texts) == 1 or isinstance(error, ModelUnavailableError):
                return [error] * len(texts)
        half = len(texts) // 2
        return [*await self._results(texts[:half]), *await self._results(texts[half:])]

    async def _run(self, texts: list[str]) -> Sequence[Result | None]:
        call = asyncio.get_running_loop().run_in_executor(self._executor, self._check, texts)
        stopped_at = 0.0
        while not (await asyncio.wait({call}, timeout=_LOOK_SECONDS))[0]:
            if self._is_running():
                continue
            stopped_at = stopped_at or time.monotonic()
            if time.monotonic() - stopped_at > _GRACE_SECONDS:
                call.add_done_callback(lambda late: late.cancelled() or late.exception())
                return [None] * len(texts)
        return call.result()

    def _check(self, texts: list[str]) -> Sequence[Result | None]:
        if not self._is_running():
            return [None] * len(texts)
        results = self._call(texts)
        if len(results) != len(texts):
            raise ModelUnavailableError(f"{len(texts)} texts gave {len(results)} vectors")
        return results
