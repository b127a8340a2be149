"""The batcher by length: a model kept busy with the texts of all pages, and nobody waits for a round."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.protocol import ModelUnavailableError
from ragcrawler.run.execution import length_batcher
from ragcrawler.run.execution.length_batcher import LengthBatcher

Open = Callable[..., LengthBatcher[int]]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens batchers whose threads end with the test."""
    executors: list[ThreadPoolExecutor] = []

    def open_lane(
        call: Callable[[Sequence[str]], Sequence[int]],
        texts: int = 1,
        tokens: int = 100_000,
        runs: int = 1,
        is_running: Callable[[], bool] = lambda: True,
    ) -> LengthBatcher[int]:
        executors.append(ThreadPoolExecutor(runs))
        limits = BatchLimits(texts, tokens, runs, limit_tokens=100_000)
        return LengthBatcher(call, limits, executor=executors[-1], is_running=is_running)

    yield open_lane
    for executor in executors:
        executor.shutdown()


class Recorder:
    """Gives the length of each text; keeps the batches; the first call waits for the gate, if it is shut."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.batches: list[list[str]] = []
        self.started = threading.Event()
        self.gate = threading.Event()
        if is_open:
            self.gate.set()

    def __call__(self, texts: Sequence[str]) -> list[int]:
        self.batches.append(list(texts))
        self.started.set()
        self.gate.wait(10)
        return [len(text) for text in texts]


def words(*lengths: int) -> list[str]:
    return ["x" * length for length in lengths]


@pytest.mark.parametrize(("texts", "runs"), [(1, 1), (1, 3), (4, 1), (4, 3)])
async def test_each_page_gets_its_own_results_in_order(opened: Open, texts: int, runs: int) -> None:
    batcher = opened(Recorder(), texts, runs=runs)
    pages = [words(*range(size)) for size in (1, 5, 2, 7, 0)]
    answers = await asyncio.gather(*map(batcher.submit, pages))
    assert answers == [list(range(size)) for size in (1, 5, 2, 7, 0)]


async def test_one_text_a_run_goes_first_come_first_served(opened: Open) -> None:
    recorder = Recorder()
    batcher = opened(recorder)
    await asyncio.gather(batcher.submit(words(5, 1)), batcher.submit(words(9)))
    assert recorder.batches == [words(5), words(1), words(9)]


async def test_a_run_takes_the_oldest_text_and_the_waiting_ones_of_like_length(opened: Open) -> None:
    recorder = Recorder(is_open=False)
    batcher = opened(recorder, texts=3)
    first = asyncio.create_task(batcher.submit(words(1)))
    await asyncio.to_thread(recorder.started.wait, 10)
    later = [
        asyncio.create_task(batcher.submit(words(*lengths))) for lengths in ((300, 30), (303, 31), (306,))
    ]
    await asyncio.wait(later, timeout=0)
    recorder.gate.set()
    await asyncio.gather(first, *later)
    assert recorder.batches == [words(1), words(300, 303, 306), words(30, 31)]


async def test_a_run_with_its_padding_stays_within_the_tokens(opened: Open) -> None:
    recorder = Recorder(is_open=False)
    batcher = opened(recorder, texts=100, tokens=64)
    first = asyncio.create_task(batcher.submit(words(1)))
    await asyncio.to_thread(recorder.started.wait, 10)
    later = asyncio.create_task(batcher.submit(words(90, 90, 90, 900)))
    await asyncio.wait([later], timeout=0)
    recorder.gate.set()
    await asyncio.gather(first, later)
    assert recorder.batches == [words(1), words(90, 90), words(90), words(900)]


async def test_a_page_is_done_when_its_own_texts_are(opened: Open) -> None:
    gate = threading.Event()

    def slow_for_long_ones(texts: Sequence[str]) -> list[int]:
        if len(texts[0]) > 100:
            gate.wait(10)
        return [len(text) for text in texts]

    batcher = opened(slow_for_long_ones, runs=2)
    long = asyncio.create_task(batcher.submit(words(500, 1)))
    assert await batcher.submit(words(2)) == [2]
    assert not long.done()
    gate.set()
    assert await long == [500, 1]


async def test_lanes_on_one_processor_share_its_runs() -> None:
    running, most, lock = [0], [0], threading.Lock()

    def counted(texts: Sequence[str]) -> list[int]:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        lengths = [len(text) for text in texts]
        with lock:
            running[0] -= 1
        return lengths

    limits = BatchLimits(1, 100, runs=2, limit_tokens=100)
    with ThreadPoolExecutor(2) as executor:
        batchers = [
            LengthBatcher(counted, limits, executor=executor, is_running=lambda: True) for _ in range(3)
        ]
        await asyncio.gather(*(batcher.submit(words(*range(40))) for batcher in batchers))
    assert most[0] <= 2


async def test_only_the_guilty_text_gets_the_error(opened: Open) -> None:
    def picky(texts: Sequence[str]) -> list[int]:
        if "bad" in texts:
            raise ValueError("bad")
        return [len(text) for text in texts]

    batcher = opened(picky, texts=16)
    innocent, guilty = await asyncio.gather(batcher.submit(words(1, 2)), batcher.submit(["a", "bad", "b"]))
    assert innocent == [1, 2]
    assert (guilty[0], guilty[2]) == (1, 1)
    assert isinstance(guilty[1], ValueError)


async def test_a_model_that_cannot_be_used_is_not_asked_again_for_each_text(opened: Open) -> None:
    calls: list[int] = []

    def away(texts: Sequence[str]) -> list[int]:
        calls.append(len(texts))
        raise ModelUnavailableError("no answer")

    answers = await opened(away, texts=16).submit(words(*range(16)))
    assert calls == [16]
    assert all(isinstance(answer, ModelUnavailableError) for answer in answers)


async def test_too_few_vectors_are_an_error_not_a_mix_up(opened: Open) -> None:
    batcher = opened(lambda texts: [1] * (len(texts) - 1), texts=4)
    assert all(isinstance(answer, ModelUnavailableError) for answer in await batcher.submit(words(1, 2)))


async def test_what_has_not_begun_when_work_stops_comes_back_undone(opened: Open) -> None:
    running = [True]

    def last_call(texts: Sequence[str]) -> list[int]:
        running[0] = False
        return [len(text) for text in texts]

    batcher = opened(last_call, is_running=lambda: running[0])
    assert await batcher.submit(words(3, 4, 5)) == [3, None, None]


async def test_a_run_that_does_not_end_is_not_waited_for_once_work_stops(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(length_batcher, "_GRACE_SECONDS", 0.0)
    recorder, running = Recorder(is_open=False), [True]
    batcher = opened(recorder, is_running=lambda: running[0])
    waiting = asyncio.create_task(batcher.submit(words(3, 4)))
    await asyncio.to_thread(recorder.started.wait, 10)
    running[0] = False
    assert await waiting == [None, None]
    assert recorder.batches == [words(3)]
    recorder.gate.set()


async def test_pages_that_were_given_up_do_not_stop_the_others(opened: Open) -> None:
    recorder = Recorder(is_open=False)
    batcher = opened(recorder)
    given_up = [asyncio.create_task(batcher.submit(words(length))) for length in (1, 2)]
    await asyncio.to_thread(recorder.started.wait, 10)
    for task in given_up:
        task.cancel()
    recorder.gate.set()
    async with asyncio.timeout(10):
        await asyncio.gather(*given_up, return_exceptions=True)
        assert [await batcher.submit(words(length)) for length in (3, 4, 5)] == [[3], [4], [5]]


async def test_a_lane_that_stood_idle_goes_on(opened: Open) -> None:
    batcher = opened(Recorder())
    async with asyncio.timeout(10):
        for length in range(50):
            assert await batcher.submit(words(length)) == [length]
