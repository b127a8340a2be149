"""The pool, with real processes. The call is `eval`: every process can import it, and a job is a line."""

import asyncio
import os
import re
import resource
import signal
import threading
import traceback
from pathlib import Path

import pytest

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.isolation import (
    JobFailed,
    PoolClosed,
    WorkerDied,
    WorkerLimits,
    WorkerPool,
)

MIB = 1024 * 1024
PROCESS_ID = "__import__('os').getpid()"
FOREVER = "__import__('threading').Event().wait()"
HOLDS_THE_LOCK = "__import__('re').match('(a+)+$', 'a' * 60 + 'b')"


def pool_of(workers: int = 1, **limits: float) -> WorkerPool[str, object]:
    return WorkerPool(eval, limits=WorkerLimits(**limits), workers=workers)  # type: ignore[arg-type]


def children_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


async def taken(pool: WorkerPool[str, object], jobs: int) -> None:
    while pool.statistics.jobs < jobs:  # noqa: ASYNC110  the pool has no event for what only a test waits for
        await asyncio.sleep(0)


async def test_a_job_is_done_in_another_process():
    async with pool_of() as pool:
        assert await pool.run(PROCESS_ID) != os.getpid()


async def test_results_come_back_to_the_caller_that_asked():
    async with pool_of(workers=2) as pool:
        results = await asyncio.gather(*(pool.run(f"{number} * 2") for number in range(50)))
    assert results == [number * 2 for number in range(50)]
    assert pool.statistics.jobs == 50
    assert pool.statistics.started == 2


@pytest.mark.parametrize(
    ("job", "reason", "message"),
    [
        ("__import__('os').abort()", "worker_died", "SIGABRT"),
        ("__import__('os').kill(__import__('os').getpid(), 9)", "worker_died", "SIGKILL"),
        ("__import__('os')._exit(7)", "worker_died", "exit code 7"),
        ("__import__('sys').exit('enough')", "worker_died", "exit code 1"),
        ("__import__('ctypes').string_at(0)", "worker_died", "SIGSEGV"),
        ("bytes(2 ** 40)", "out_of_memory", "bytes are allowed"),
        ("[b'x' * 100_000 for _ in range(100_000)]", "out_of_memory", "bytes are allowed"),
        (FOREVER, "timed_out", "took over"),
        (HOLDS_THE_LOCK, "timed_out", "took over"),
    ],
)
async def test_a_job_that_ends_its_worker_is_lost_alone(job: str, reason: str, message: str):
    # Only the jobs that never end may meet the limit, however busy the machine is.
    job_seconds = 0.5 if reason == "timed_out" else 60.0
    async with pool_of(workers=2, job_seconds=job_seconds, memory_bytes=256 * MIB) as pool:
        guilty, *others = await asyncio.gather(
            pool.run(job), *(pool.run(f"{number}") for number in range(20)), return_exceptions=True
        )
        assert others == list(range(20))
        assert isinstance(guilty, WorkerDied)
        assert isinstance(guilty, ConversionError)
        assert guilty.reason == reason
        assert message in str(guilty)
        assert await pool.run("'next'") == "next"
        assert pool.statistics.deaths == {reason: 1}
        assert pool.statistics.jobs == 22


@pytest.mark.parametrize("what_follows", ["__import__('os').abort()", "1 / 0"])
async def test_what_fails_at_the_limit_without_a_memory_error_is_out_of_memory(what_follows: str):
    async with pool_of(memory_bytes=256 * MIB) as pool:
        with pytest.raises(WorkerDied) as caught:
            await pool.run(f"(b'x' * 240_000_000, {what_follows})")
        assert caught.value.reason == "out_of_memory"
        assert pool.statistics.deaths == {"out_of_memory": 1}
        assert await pool.run("'next'") == "next"


async def test_a_job_too_large_for_its_worker_is_out_of_memory():
    async with pool_of(memory_bytes=64 * MIB) as pool:
        with pytest.raises(WorkerDied) as caught:
            await pool.run(f"len('{'x' * 80_000_000}')")
        assert caught.value.reason == "out_of_memory"
        assert await pool.run("'next'") == "next"


async def test_an_exception_comes_back_with_its_type_and_the_traceback_of_the_worker():
    async with pool_of() as pool:
        with pytest.raises(ZeroDivisionError, match="division by zero") as caught:
            await pool.run("1 / 0")
        assert "worker_process.py" in "".join(traceback.format_exception(caught.value))
        assert (pool.statistics.errors, pool.statistics.deaths) == (1, {})


async def test_a_conversion_error_keeps_its_reason_and_url():
    async with pool_of() as pool:
        with pytest.raises(ConversionError) as caught:
            await pool.run(
                "(_ for _ in ()).throw(__import__('ragcrawler.conversion.errors').conversion.errors."
                "ConversionError('encrypted', 'it has a password', url='http://a/'))"
            )
    assert (caught.value.reason, caught.value.url) == ("encrypted", "http://a/")


@pytest.mark.parametrize(
    "job",
    [
        "exec('class Local(Exception): pass\\nraise Local(\"lost\")')",
        "next(iter(()))",
    ],
)
async def test_an_exception_that_cannot_travel_is_told_in_words(job: str):
    async with pool_of() as pool:
        with pytest.raises((JobFailed, RuntimeError)):
            await pool.run(job)
        assert await pool.run("1") == 1


async def test_jobs_are_results_errors_or_deaths():
    async with pool_of() as pool:
        jobs = ["1", "2", "1 / 0", "lambda: 0", "__import__('os').abort()"]
        await asyncio.gather(*(pool.run(job) for job in jobs), return_exceptions=True)
        with pytest.raises(TypeError):
            await pool.run(threading.Lock())  # type: ignore[arg-type]
        seen = pool.statistics
    assert (seen.jobs, seen.errors, seen.deaths) == (6, 3, {"worker_died": 1})


async def test_a_result_that_cannot_be_pickled_is_an_error_of_its_job():
    async with pool_of() as pool:
        with pytest.raises(Exception, match="pickle"):
            await pool.run("lambda: 0")
        assert await pool.run("1") == 1
        assert pool.statistics.started == 1


async def test_large_jobs_and_results_pass():
    async with pool_of(workers=2) as pool:
        text = "x" * 20_000_000
        results = await asyncio.gather(*(pool.run(f"'{text}'") for _ in range(3)))
    assert all(result == text for result in results)


async def test_a_result_over_the_limit_is_refused():
    async with pool_of(result_bytes=1000) as pool:
        with pytest.raises(ConversionError, match="1000 are allowed") as caught:
            await pool.run("bytes(1001)")
    assert caught.value.reason == "too_large"


async def test_a_worker_is_replaced_after_its_number_of_jobs():
    async with pool_of(worker_jobs=3) as pool:
        process_ids = [await pool.run(PROCESS_ID) for _ in range(7)]
    assert [process_ids.count(process_id) for process_id in dict.fromkeys(process_ids)] == [3, 3, 1]
    assert (pool.statistics.started, pool.statistics.replaced) == (3, 2)


async def test_a_worker_that_has_grown_is_replaced():
    async with pool_of(replace_bytes=100 * MIB) as pool:
        before = await pool.run(PROCESS_ID)
        assert await pool.run("len(b'x' * 150_000_000)") == 150_000_000
        after = await pool.run(PROCESS_ID)
    assert before != after
    assert pool.statistics.peak_bytes > 150_000_000


async def test_cpu_time_counts_whether_a_worker_lives_or_is_killed():
    async with pool_of(job_seconds=2.0) as pool:
        await pool.run("sum(range(1_000_000))")
        alive = pool.statistics.cpu_seconds
        with pytest.raises(WorkerDied):
            await pool.run(HOLDS_THE_LOCK)
        assert 0.001 < alive < pool.statistics.cpu_seconds


async def test_the_workers_count_as_children_of_the_program_once_the_pool_is_closed():
    before = children_cpu_seconds()
    async with pool_of(workers=2) as pool:
        await asyncio.gather(*(pool.run("sum(range(5_000_000))") for _ in range(2)))
        assert children_cpu_seconds() == before
    assert children_cpu_seconds() - before >= pool.statistics.cpu_seconds > 0.02


async def test_signals_for_the_crawl_do_not_end_a_worker():
    job = f"[__import__('os').killpg(0, number) for number in ({signal.SIGINT:d}, {signal.SIGTERM:d})]"
    async with pool_of() as pool:
        assert await pool.run(job) == [None, None]
        assert await pool.run("__import__('os').getsid(0)") != await asyncio.to_thread(os.getsid, 0)


async def test_what_a_job_has_started_ends_with_its_worker(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with pool_of(job_seconds=0.5) as pool:
        reading = asyncio.create_task(asyncio.to_thread(pipe.read_bytes))
        with pytest.raises(WorkerDied):
            await pool.run(f"__import__('os').system('(echo up; sleep 600) > {pipe}')")
        # The end of the file comes when the last process that could write to it has gone.
        assert await asyncio.wait_for(reading, 20) == b"up\n"


@pytest.mark.parametrize("jobs_before", [[], ["1"]], ids=["while it starts", "while it works"])
async def test_closing_ends_what_runs_and_what_waits_and_can_be_repeated(jobs_before: list[str]):
    pool = pool_of()
    for job in jobs_before:
        await pool.run(job)
    jobs = [asyncio.create_task(pool.run(FOREVER)) for _ in range(3)]
    await taken(pool, 1 + len(jobs_before))
    await asyncio.wait_for(pool.close(), 20)
    outcomes = await asyncio.gather(*jobs, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [PoolClosed] * 3
    await pool.close()
    with pytest.raises(PoolClosed):
        await pool.run("1")


async def test_a_cancelled_caller_frees_its_place():
    async with pool_of() as pool:
        runs = asyncio.create_task(pool.run("sum(range(1_000_000))"))
        waits = asyncio.create_task(pool.run("1"))
        await taken(pool, 1)
        runs.cancel()
        waits.cancel()
        assert await pool.run("2") == 2
        assert pool.statistics.jobs == 2


def test_a_pool_in_each_event_loop_works():
    async def once() -> object:
        async with pool_of() as pool:
            return await pool.run("6 * 7")

    assert [asyncio.run(once()) for _ in range(3)] == [42, 42, 42]


def test_a_pool_that_was_never_used_closes():
    pool = pool_of()
    asyncio.run(pool.close())
    assert pool.statistics.started == 0


@pytest.mark.parametrize(
    "name", ["job_seconds", "memory_bytes", "worker_jobs", "result_bytes", "replace_bytes"]
)
def test_a_limit_of_nothing_is_refused(name: str):
    with pytest.raises(ValueError, match=re.escape(f"{name} is 0: it must be above zero")):
        pool_of(**{name: 0})


def test_a_pool_without_workers_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        pool_of(workers=0)
