"""Workers end when the program that has the pool is killed."""

import subprocess
import sys

import pytest

_PROGRAM = """
import asyncio, os, signal
from ragcrawler.conversion.isolation import WorkerLimits, WorkerPool

async def main():
    pool = WorkerPool(eval, limits=WorkerLimits(), workers=2)
    await asyncio.gather(*(pool.run(job) for job in {jobs!r}))

asyncio.run(main())
"""


@pytest.mark.parametrize(
    "work",
    [
        "__import__('time').sleep(600)",
        "exec('while True: pass')",
        # One call into C, which no other thread of the process can interrupt.
        "__import__('re').match('(a+)+$', 'a' * 60 + 'b')",
        "__import__('os').system('sleep 600')",
    ],
)
def test_no_worker_outlives_a_program_that_is_killed(work: str):
    jobs = [f"(__import__('os').write(1, b'at work\\n'), {work})"] * 2
    command = [sys.executable, "-c", _PROGRAM.format(jobs=jobs)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        assert [program.stderr.readline() for _ in jobs] == ["at work\n"] * 2
        program.kill()
        # Workers write to standard error, so its end comes when the last of them has gone.
        assert program.communicate(timeout=20)[1] == ""


def test_workers_that_wait_end_with_the_program():
    code = (
        _PROGRAM.format(jobs=["1", "2"]) + "print('done', flush=True)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=False
    )
    assert (finished.stdout, finished.returncode) == ("done\n", -9)
