"""Work that is done side by side leaves in order."""

import asyncio

import pytest

from ragcrawler.run.resources import ArrivalOrder


class Jobs:
    """Jobs that end when the test says so."""

    def __init__(self) -> None:
        self.order = ArrivalOrder()
        self.ends: dict[str, asyncio.Event] = {}
        self.left: list[str] = []

    async def run(self, name: str, error: bool = False) -> None:
        self.ends[name] = asyncio.Event()
        try:
            async with self.order.keep():
                await self.ends[name].wait()
                if error:
                    raise ValueError(name)
        finally:
            self.left.append(name)


async def let_run() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_what_is_done_first_waits_for_what_came_before_it() -> None:
    jobs = Jobs()
    tasks = [asyncio.create_task(jobs.run(name)) for name in "abc"]
    await let_run()
    jobs.ends["c"].set()
    jobs.ends["b"].set()
    await let_run()
    assert jobs.left == []
    jobs.ends["a"].set()
    await asyncio.gather(*tasks)
    assert jobs.left == ["a", "b", "c"]


async def test_an_error_leaves_at_once_and_lets_nobody_overtake() -> None:
    jobs = Jobs()
    tasks = [asyncio.create_task(jobs.run(name, error=name == "b")) for name in "abc"]
    await let_run()
    jobs.ends["b"].set()
    jobs.ends["c"].set()
    await let_run()
    assert jobs.left == ["b"]
    jobs.ends["a"].set()
    with pytest.raises(ValueError, match="b"):
        await asyncio.gather(*tasks)
    await tasks[2]
    assert jobs.left == ["b", "a", "c"]


async def test_a_job_that_is_cancelled_holds_nobody_up() -> None:
    jobs = Jobs()
    first, second = (asyncio.create_task(jobs.run(name)) for name in "ab")
    await let_run()
    jobs.ends["b"].set()
    await let_run()
    first.cancel()
    await second
    assert jobs.left == ["a", "b"]


async def test_one_that_is_cancelled_while_it_waits_lets_nobody_overtake() -> None:
    jobs = Jobs()
    tasks = [asyncio.create_task(jobs.run(name)) for name in "abc"]
    await let_run()
    jobs.ends["b"].set()
    jobs.ends["c"].set()
    await let_run()
    tasks[1].cancel()
    await let_run()
    assert jobs.left == ["b"]
    jobs.ends["a"].set()
    await tasks[2]
    assert jobs.left == ["b", "a", "c"]
