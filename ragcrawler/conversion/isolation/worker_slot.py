"""A place in the pool: one worker process at a time, replaced when it dies, overruns or has grown."""

import asyncio
import os
import signal

from ragcrawler.conversion.isolation.errors import WorkerDied
from ragcrawler.conversion.isolation.fork_server import ForkServer, WorkerExit
from ragcrawler.conversion.isolation.frames import WorkerReply, pack
from ragcrawler.conversion.isolation.limits import WorkerLimits
from ragcrawler.conversion.isolation.statistics import PoolStatistics
from ragcrawler.conversion.isolation.worker import Worker
from ragcrawler.conversion.isolation.worker_process import OUT_OF_MEMORY

# A library that does not check what malloc returns dies by a signal at the limit, not by a MemoryError, and
# another wraps the MemoryError in an error of its own.
_NEAR_THE_LIMIT = 0.9


class WorkerSlot:
    """Does one job after the other.

    `order` is the frame each new worker gets first.
    """

    def __init__(
        self, fork_server: ForkServer, order: bytes, limits: WorkerLimits, statistics: PoolStatistics
    ) -> None:
        self._fork_server = fork_server
        self._init = order
        self._limits = limits
        self._statistics = statistics
        self._worker: Worker | None = None

    async def perform(self, job: object) -> WorkerReply:
        """Let the worker do a job.

        Raises:
            WorkerDied: it died, took too long, or ran out of memory.
            ForkServerFailed: there is no worker, and none could be started.
            Exception: what pickling the job or unpickling the result raises.
        """
        self._statistics.jobs += 1
        frame = pack(job)
        try:
            worker = self._worker or await self._hire()
            reply = await self._exchange(worker, frame, self._limits.job_seconds)
            if reply.outcome == "error" and self._is_near_the_limit(reply.peak_bytes):
                await self._dismiss(worker)
                raise self._out_of_memory(worker.process_id) from reply.value
        except WorkerDied as death:
            self._statistics.deaths[death.reason] += 1
            raise
        worker.jobs += 1
        if worker.jobs >= self._limits.worker_jobs or reply.peak_bytes >= self._limits.replace_bytes:
            self._statistics.replaced += 1
            await self._dismiss(worker)
        return reply

    async def close(self) -> None:
        """End the worker, whatever it is doing."""
        if self._worker is not None:
            await self._worker.kill()
            self._worker = None

    async def _hire(self) -> Worker:
        self._worker = worker = await Worker.connect(*await self._fork_server.fork())
        self._statistics.started += 1
        reply = await self._exchange(worker, self._init, self._limits.start_seconds)
        if reply.outcome == "error":
            await self._dismiss(worker)
            reply.value.add_note(reply.traceback)
            raise reply.value
        return worker

    async def _exchange(self, worker: Worker, frame: bytes, seconds: float) -> WorkerReply:
        try:
            async with asyncio.timeout(seconds):
                reply = await worker.exchange(frame)
        except TimeoutError:
            await self._dismiss(worker)
            message = f"worker {worker.process_id} was ended: it took over {seconds} s"
            raise WorkerDied("timed_out", message) from None
        except (EOFError, OSError):
            raise self._death(worker.process_id, await self._dismiss(worker)) from None
        except Exception:
            await self._dismiss(worker)  # what is left in the socket would be taken for the next answer
            raise
        self._statistics.measure(reply, worker.cpu_seconds)
        worker.cpu_seconds = reply.cpu_seconds
        return reply

    async def _dismiss(self, worker: Worker) -> WorkerExit:
        await worker.kill()
        self._worker = None
        exit_state = await self._fork_server.reap(worker.process_id)
        self._statistics.measure(exit_state, worker.cpu_seconds)
        return exit_state

    def _death(self, process_id: int, exit_state: WorkerExit) -> WorkerDied:
        code = os.waitstatus_to_exitcode(exit_state.status) if exit_state.status >= 0 else None
        if code == OUT_OF_MEMORY or self._is_near_the_limit(exit_state.peak_bytes):
            return self._out_of_memory(process_id)
        size = f"it had taken {exit_state.peak_bytes} bytes of memory"  # many a library aborts for want of it
        return WorkerDied("worker_died", f"worker {process_id} died of {_cause(code)}; {size}")

    def _is_near_the_limit(self, peak_bytes: int) -> bool:
        return peak_bytes >= self._limits.memory_bytes * _NEAR_THE_LIMIT

    def _out_of_memory(self, process_id: int) -> WorkerDied:
        limit = self._limits.memory_bytes
        return WorkerDied(
            "out_of_memory", f"worker {process_id} ran out of memory: {limit} bytes are allowed"
        )


def _cause(code: int | None) -> str:
    if code is None:
        return "a cause that is not known"
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
