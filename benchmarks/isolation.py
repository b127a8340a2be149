"""The cost of running a job in a worker process: `python benchmarks/isolation.py`.

The ratios compare the pool with the same call in this process: medians of rounds that alternate between them.
"""

import argparse
import asyncio
import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from ragcrawler.conversion.isolation import WorkerLimits, WorkerPool

ROUNDS = 7
Spin = Callable[[tuple[int, int]], bytes]


def spin(job: tuple[int, int]) -> bytes:
    """Count `job[0]` steps; the result has `job[1]` bytes."""
    total = 0
    for step in range(job[0]):
        total += step
    return bytes(job[1])


def importable_spin() -> Spin:
    """`spin` under a name that a worker can import, which `__main__` is not."""
    sys.path.insert(0, str(Path(__file__).parent))
    call: Spin = importlib.import_module("isolation").spin
    return call


def steps_for(seconds: float) -> int:
    """Steps that take about so long."""
    start = time.process_time()
    spin((2_000_000, 0))
    return int(2_000_000 * seconds / (time.process_time() - start))


class Clock:
    """Wall and CPU seconds since it was made, the pool's workers included."""

    def __init__(self, pool: WorkerPool[tuple[int, int], bytes]) -> None:
        self.pool = pool
        self.start = self.now()

    def now(self) -> tuple[float, float]:
        return time.perf_counter(), time.process_time() + self.pool.statistics.cpu_seconds

    def elapsed(self) -> tuple[float, float]:
        now = self.now()
        return now[0] - self.start[0], now[1] - self.start[1]


def pool_of(workers: int) -> WorkerPool[tuple[int, int], bytes]:
    return WorkerPool(importable_spin(), limits=WorkerLimits(worker_jobs=10**9), workers=workers)


async def empty_jobs(jobs: int) -> str:
    async with pool_of(1) as pool:
        await pool.run((0, 0))
        clock = Clock(pool)
        await asyncio.gather(*(pool.run((0, 0)) for _ in range(jobs)))
        wall, cpu = clock.elapsed()
    return f"empty job, 1 worker: {jobs / wall:.0f} jobs/s, {1000 * cpu / jobs:.3f} ms CPU a job"


async def compared(workers: int, jobs: int, milliseconds: float) -> str:
    job = (steps_for(milliseconds / 1000), 50_000)
    ratios = []
    async with pool_of(workers) as pool:
        await asyncio.gather(*(pool.run((0, 0)) for _ in range(workers)))
        for _ in range(ROUNDS):
            clock = Clock(pool)
            for _ in range(jobs):
                spin(job)
            plain = clock.elapsed()
            clock = Clock(pool)
            await asyncio.gather(*(pool.run(job) for _ in range(jobs)))
            pooled = clock.elapsed()
            ratios.append((pooled[0] / plain[0], pooled[1] / plain[1]))
    wall, cpu = (median(column) for column in zip(*ratios, strict=True))
    what = f"job of {milliseconds:g} ms and 50 kB, {workers} worker(s)"
    return f"{what}: wall {wall:.2f}, CPU {cpu:.2f} of in-process"


async def replacement(times: int, preload: tuple[str, ...]) -> str:
    async with WorkerPool(eval, limits=WorkerLimits(), workers=1, preload=preload) as pool:
        start = time.perf_counter()
        await pool.run("1")
        first = time.perf_counter() - start
        start = time.perf_counter()
        for _ in range(times):
            await asyncio.gather(pool.run("__import__('os')._exit(1)"), pool.run("1"), return_exceptions=True)
        again = (time.perf_counter() - start) / times
    names = " ".join(preload)
    return f"first answer after {first:.2f} s of importing {names}; after a death {1000 * again:.0f} ms"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=50)
    parser.add_argument("--job-milliseconds", type=float, default=10.0)
    parser.add_argument("--preload", nargs="*", default=["trafilatura", "lxml.html"])
    arguments = parser.parse_args()
    print(await empty_jobs(arguments.jobs * 50))
    for workers in (1, 2):
        print(await compared(workers, arguments.jobs, arguments.job_milliseconds))
    print(await replacement(20, tuple(arguments.preload)))


if __name__ == "__main__":
    asyncio.run(main())
