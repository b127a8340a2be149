"""How many pages wait in the pipelines, and how big they are together."""

import asyncio

import pytest

from ragcrawler.spiders.local.local_spider import PagesInFlight


async def waits(room: PagesInFlight, url: str, size: int) -> asyncio.Task[None] | None:
    """Enter a page; the task where it has to wait, None where it is in."""
    task = asyncio.create_task(room.enter(url, size))
    for _ in range(3):
        await asyncio.sleep(0)
    return None if task.done() else task


@pytest.mark.parametrize(
    ("sizes", "waiting"),
    [
        ([1, 1, 1], [False, False, False]),
        ([1, 1, 1, 1], [False, False, False, True]),
        ([60, 40, 1], [False, False, True]),
        ([60, 41], [False, True]),
        ([500, 1], [False, True]),
        ([0, 500], [False, True]),
    ],
)
async def test_a_page_waits_where_pages_or_bytes_have_no_room_for_it(
    sizes: list[int], waiting: list[bool]
) -> None:
    room = PagesInFlight(max_pages=3, max_bytes=100)
    tasks = [await waits(room, f"u{number}", size) for number, size in enumerate(sizes)]
    assert [task is not None for task in tasks] == waiting
    for number in range(len(sizes)):
        room.leave(f"u{number}")
    await asyncio.gather(*(task for task in tasks if task))


async def test_a_page_that_leaves_lets_one_in_and_those_behind_it_wait_on() -> None:
    room = PagesInFlight(max_pages=1, max_bytes=100)
    assert await waits(room, "a", 1) is None
    second, third = await waits(room, "b", 1), await waits(room, "c", 1)
    assert second
    assert third
    room.leave("a")
    await second
    await asyncio.sleep(0)
    assert not third.done()
    room.leave("b")
    await third


async def test_a_page_that_leaves_twice_or_was_never_in_makes_no_room() -> None:
    room = PagesInFlight(max_pages=2, max_bytes=100)
    assert await waits(room, "a", 1) is None
    assert await waits(room, "b", 1) is None
    third = await waits(room, "c", 1)
    assert third
    room.leave("elsewhere")
    await asyncio.sleep(0)
    assert not third.done()
    room.leave("a")
    room.leave("a")
    await third
    fourth = await waits(room, "d", 1)
    assert fourth
    fourth.cancel()
