"""What it costs to run a job in a worker process: `python benchmarks/isolation.py`.

The ratios compare the pool with the same call in this process, in the same run.
"""

import argparse
import asyncio
import resource
import time
from collections.abc import Callable
from functools import partial

from ragcrawler.conversion.isolation import WorkerDied, WorkerLimits, WorkerPool


def spin(job: tuple[int, int]) -> bytes:
    """Count `job[0]` steps; the result has `job[1]` bytes."""
    total = 0
    for step in range(job[0]):
        total += step
    return bytes(job[1])


def cpu_seconds() -> float:
    measured = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in measured)


def steps_for(seconds: float) -> int:
    steps, taken = 1000, 0.0
    while taken < seconds:
        steps *= 2
        taken = timed(partial(spin, (steps, 0)))
    return int(steps * seconds / taken)


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


async def pooled(workers: int, jobs: int, job: tuple[int, int]) -> tuple[float, float]:
    """Wall and CPU seconds of all jobs, without starting the pool; CPU includes ending it."""
    pool = WorkerPool(benchmark_call(), limits=WorkerLimits(worker_jobs=10**9), workers=workers)
    await asyncio.gather(*(pool.run((0, 0)) for _ in range(workers)))
    cpu, wall = cpu_seconds(), time.perf_counter()
    await asyncio.gather(*(pool.run(job) for _ in range(jobs)))
    wall = time.perf_counter() - wall
    await pool.close()
    return wall, cpu_seconds() - cpu


def benchmark_call() -> Callable[[tuple[int, int]], bytes]:
    """`spin` under a name that a worker can import, which `__main__` is not."""
    import importlib
    import sys
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).parent))
    call: Callable[[tuple[int, int]], bytes] = importlib.import_module("isolation").spin
    return call


async def replacement(times: int, preload: tuple[str, ...]) -> tuple[float, float]:
    """Seconds until the first answer, and of one death with the next answer."""
    async with WorkerPool(eval, limits=WorkerLimits(), workers=1, preload=preload) as pool:
        start = time.perf_counter()
        await pool.run("1")
        first = time.perf_counter() - start
        start = time.perf_counter()
        for _ in range(times):
            await asyncio.gather(pool.run("__import__('os')._exit(1)"), pool.run("1"), return_exceptions=True)
        assert pool.statistics.deaths[WorkerDied("worker_died", "").reason] == times
    return first, (time.perf_counter() - start) / times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=300)
    parser.add_argument("--job-milliseconds", type=float, default=10.0)
    parser.add_argument("--preload", nargs="*", default=["trafilatura", "html_to_markdown", "lxml.html"])
    arguments = parser.parse_args()

    empty = arguments.jobs * 10
    wall, cpu = asyncio.run(pooled(1, empty, (0, 0)))
    print(f"empty job, 1 worker: {empty / wall:.0f} jobs/s, {1000 * cpu / empty:.3f} ms CPU a job")
    job = (steps_for(arguments.job_milliseconds / 1000), 50_000)
    cpu = cpu_seconds()
    plain_wall = timed(lambda: [spin(job) for _ in range(arguments.jobs)])
    plain_cpu = cpu_seconds() - cpu
    for workers in (1, 2):
        wall, cpu = asyncio.run(pooled(workers, arguments.jobs, job))
        print(
            f"job of {1000 * plain_wall / arguments.jobs:.1f} ms and 50 kB, {workers} worker(s): "
            f"wall {wall / plain_wall:.2f}, CPU {cpu / plain_cpu:.2f} of in-process"
        )
    first, again = asyncio.run(replacement(20, tuple(arguments.preload)))
    print(f"first answer after {first:.2f} s of importing {' '.join(arguments.preload)}")
    print(f"a worker dies, and the next job is answered: {again * 1000:.0f} ms")


if __name__ == "__main__":
    main()
