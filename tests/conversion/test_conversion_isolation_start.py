"""How the processes of the pool come to life, and what is said where they cannot."""

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from ragcrawler.conversion.isolation import ForkServerFailed, WorkerLimits, WorkerPool


def pool_of(preload: tuple[str, ...] = (), **limits: float) -> WorkerPool[str, object]:
    return WorkerPool(eval, limits=WorkerLimits(**limits), workers=1, preload=preload)  # type: ignore[arg-type]


async def test_modules_are_imported_before_the_fork():
    is_there = "'wave' in __import__('sys').modules"
    async with pool_of(preload=("wave",)) as pool:
        assert await pool.run(is_there) is True
    async with pool_of() as pool:
        assert await pool.run(is_there) is False


async def test_a_module_that_cannot_be_imported_is_named():
    async with pool_of(preload=("wave", "no_such_module")) as pool:
        with pytest.raises(ForkServerFailed, match="no_such_module"):
            await pool.run("1")
        with pytest.raises(ForkServerFailed, match="no_such_module"):
            await pool.run("2")


async def test_a_module_that_hangs_on_import_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "hangs_on_import.py").write_text("import threading\nthreading.Event().wait()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    async with pool_of(preload=("hangs_on_import",), start_seconds=0.5) as pool:
        with pytest.raises(ForkServerFailed, match="hangs_on_import took over"):
            await pool.run("1")


async def test_a_call_that_a_worker_cannot_import_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "only_the_parent.py").write_text("def work(job):\n    return job\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    call = partial(__import__("only_the_parent").work)
    (tmp_path / "only_the_parent.py").unlink()
    async with WorkerPool(call, limits=WorkerLimits(), workers=1) as pool:
        with pytest.raises(ModuleNotFoundError, match="only_the_parent"):
            await pool.run("1")


async def test_a_dead_fork_server_is_replaced():
    async with pool_of(worker_jobs=1) as pool:
        fork_server = await pool.run("__import__('os').getppid()")
        os.kill(fork_server, signal.SIGKILL)
        assert await pool.run("__import__('os').getppid()") != fork_server
        assert await pool.run("1") == 1
