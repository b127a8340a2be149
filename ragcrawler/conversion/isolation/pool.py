"""Runs a call in worker processes that can be killed, one job at a time each."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Generic, Self, TypeVar, cast

from ragcrawler.conversion.isolation.errors import PoolClosed, WorkerDied
from ragcrawler.conversion.isolation.fork_server import ForkServer
from ragcrawler.conversion.isolation.frames import WorkerInit, WorkerReply, pack
from ragcrawler.conversion.isolation.limits import WorkerLimits
from ragcrawler.conversion.isolation.statistics import PoolStatistics
from ragcrawler.conversion.isolation.worker_slot import WorkerSlot

Job = TypeVar("Job")
Result = TypeVar("Result")


class WorkerPool(Generic[Job, Result]):
    """A fixed number of worker processes behind one awaitable.

    Jobs beyond that number wait in the order in which they came; there is no other queue, so whoever awaits
    `run` is held back. A worker that dies or overruns a limit loses its own job and no other. The pool
    belongs to the event loop in which it is first used.

    Args:
        call: what to do with a job. It, the jobs and the results are pickled: a function must be importable.
            An instance is unpickled once a worker, and may keep what is dear to make.
        limits: of each worker.
        workers: number of processes.
        preload: modules to import once, before the workers are forked.
    """

    def __init__(
        self,
        call: Callable[[Job], Result],
        *,
        limits: WorkerLimits,
        workers: int,
        preload: tuple[str, ...] = (),
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers is {workers}: at least one is needed")
        self._init = pack(WorkerInit(call, limits.memory_bytes, limits.result_bytes))
        self._limits = limits
        self._workers = workers
        self._fork_server = ForkServer(preload, limits.start_seconds)
        self._statistics = PoolStatistics()
        self._waiting: asyncio.Queue[tuple[Job, asyncio.Future[WorkerReply | Exception]]] = asyncio.Queue()
        self._answers: set[asyncio.Future[WorkerReply | Exception]] = set()
        self._attendants: list[asyncio.Task[None]] = []
        self._is_closed = False

    @property
    def statistics(self) -> PoolStatistics:
        """A copy of the counts up to now."""
        return replace(self._statistics, deaths=Counter(self._statistics.deaths))

    async def start(self) -> None:
        """Begin to import the modules, so that the first job need not wait for them; not required."""
        self._refuse_if_closed()
        await self._fork_server.start()

    async def run(self, job: Job) -> Result:
        """The result of the call.

        Raises:
            WorkerDied: the worker died, took too long, or ran out of memory.
            ForkServerFailed: no worker could be started.
            PoolClosed: `close` came first.
            Exception: what the call raised, with the worker's traceback in its notes.
        """
        self._refuse_if_closed()
        if not self._attendants:
            self._attendants = [asyncio.create_task(self._attend()) for _ in range(self._workers)]
        answer: asyncio.Future[WorkerReply | Exception] = asyncio.get_running_loop().create_future()
        self._answers.add(answer)
        answer.add_done_callback(self._answers.discard)
        self._waiting.put_nowait((job, answer))
        reply = await answer
        if isinstance(reply, Exception):
            raise reply
        return cast(Result, reply.value)

    async def close(self) -> None:
        """End all workers, whatever they are doing; jobs that are not done raise `PoolClosed`."""
        self._is_closed = True
        attendants, self._attendants = self._attendants, []
        for attendant in attendants:
            attendant.cancel()
        await asyncio.gather(*attendants, return_exceptions=True)
        await self._fork_server.close()
        for answer in list(self._answers):
            if not answer.done():
                answer.set_result(PoolClosed("the worker pool was closed before the job was done"))

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise PoolClosed("the worker pool is closed: it takes no more jobs")

    async def _attend(self) -> None:
        slot = WorkerSlot(self._fork_server, self._init, self._limits, self._statistics)
        try:
            while True:
                job, answer = await self._waiting.get()
                if answer.done():  # its caller was cancelled
                    continue
                outcome = await self._outcome(slot, job)
                if not answer.done():
                    answer.set_result(outcome)
        finally:
            await slot.close()

    async def _outcome(self, slot: WorkerSlot, job: Job) -> WorkerReply | Exception:
        try:
            reply = await slot.perform(job)
        except WorkerDied as death:
            return death
        except Exception as error:  # noqa: BLE001  it belongs to the caller, who raises it
            self._statistics.errors += 1
            return error
        if reply.outcome == "error":
            self._statistics.errors += 1
            failure: Exception = reply.value
            failure.add_note(f"In a worker process:\n{reply.traceback}")
            return failure
        return reply
