"""No minute holds more requests or tokens than a service allows."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcrawler.services import RateLimit


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def _times(clock: Clock, rate: RateLimit, amounts: list[int]) -> list[float]:
    async def all_of_them() -> list[float]:
        times = []
        for amount in amounts:
            await rate.turn(amount)
            times.append(clock.now)
        return times

    return asyncio.run(all_of_them())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("ragcrawler.services.rate_limit.asyncio.sleep", clock.sleep)
    return clock


def test_a_hundred_a_minute_are_a_hundred_in_the_first_minute_too(clock: Clock) -> None:
    times = _times(clock, RateLimit(100, 0, clock), [1] * 250)
    assert sum(time < times[0] + 60 for time in times) == 100
    assert sum(times[0] + 60 <= time < times[0] + 120 for time in times) == 100


def test_tokens_are_bounded_as_requests_are(clock: Clock) -> None:
    times = _times(clock, RateLimit(0, 1000, clock), [400, 400, 400, 200])
    assert [round(time - times[0]) for time in times] == [0, 0, 60, 60]


def test_a_request_above_the_bound_goes_alone(clock: Clock) -> None:
    times = _times(clock, RateLimit(0, 1000, clock), [10, 5000, 10])
    assert [round(time - times[0]) for time in times] == [0, 60, 120]


def test_without_a_limit_nobody_waits(clock: Clock) -> None:
    assert len({*_times(clock, RateLimit(0, 0, clock), [10**9] * 1000)}) == 1


def test_one_that_is_told_to_wait_makes_all_wait(clock: Clock) -> None:
    rate = RateLimit(0, 0, clock)
    rate.pause(7)
    rate.pause(2)
    assert rate.delay() == 7
    clock.now += 7
    assert rate.delay() == 0


@pytest.mark.parametrize(
    ("per_second", "over_seconds", "most", "seconds"),
    [(2.0, 1.5, 3, 1.5), (0.01, 3.0, 1, 100.0), (1.0, 2.9, 2, 2.0)],
)
def test_an_average_is_kept_in_each_window(
    clock: Clock, per_second: float, over_seconds: float, most: int, seconds: float
) -> None:
    rate = RateLimit.averaging(per_second, over_seconds, clock)
    for _ in range(2):
        assert [rate.take() for _ in range(most)] == [0] * most
        assert rate.take() == seconds
        clock.now += seconds


@given(
    requests=st.integers(1, 5),
    tokens=st.integers(5, 50),
    amounts=st.lists(st.integers(1, 20), max_size=40),
    pauses=st.lists(st.floats(0, 50), max_size=40),
)
def test_no_window_ever_holds_too_much(
    requests: int, tokens: int, amounts: list[int], pauses: list[float]
) -> None:
    clock = Clock()
    rate = RateLimit(requests, tokens, clock)
    gone: list[tuple[float, int]] = []
    for amount, pause in zip(amounts, pauses, strict=False):
        clock.now += pause
        clock.now += rate.delay(amount)
        assert rate.delay(amount) == 0
        with asyncio.Runner() as runner:
            runner.run(rate.turn(amount))
        gone.append((clock.now, amount))
        window = [each for at, each in gone if at > clock.now - 60]
        assert len(window) <= requests
        assert sum(window) <= tokens or len(window) == 1
