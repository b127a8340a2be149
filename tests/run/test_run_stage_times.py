"""The times of a crawl's stages, and the forecast."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.run.reporting.forecast import Forecast, Progress
from ragcrawler.run.reporting.stage_times import StageTime, StageTimes


def limits(runs: int, resource: str = "cpu") -> BatchLimits:
    return BatchLimits(1, 512, runs=runs, limit_tokens=512, resource=resource)


def models(*speeds: tuple[str, int, str, float], count: int = 20) -> StageTimes:
    """Times of models: stage, runs side by side, processor, wall seconds a text."""
    times = StageTimes()
    for stage, runs, resource, seconds in speeds:
        times.timed(stage, lambda texts: texts, limits(runs, resource))  # type: ignore[arg-type]
        times.add(stage, seconds * count, seconds * count, count)  # type: ignore[arg-type]
    return times


def test_times_are_added_up_by_stage() -> None:
    times = StageTimes()
    times.add("fetch_wait", 0.25)
    times.add("fetch_wait", 0.5)
    times.add("upsert", 2.0, 1.5, 16)
    times.add("upsert", 1.0, 0.25, 4)
    assert times.all() == {"fetch_wait": StageTime(2, 0.75, None), "upsert": StageTime(20, 3.0, 1.75)}


def test_a_model_s_call_enters_its_texts_and_the_cpu_time_of_its_thread() -> None:
    times = StageTimes()
    call = times.timed("embed_dense", lambda texts: [sum(range(200_000)) for _ in texts], limits(2))
    with ThreadPoolExecutor(2) as executor:
        results = list(executor.map(call, [["a", "b"], ["c"]]))
    assert [len(result) for result in results] == [2, 1]
    spent = times.all()["embed_dense"]
    assert spent.count == 3
    assert spent.cpu_seconds is not None
    assert 0 < spent.cpu_seconds <= spent.wall_seconds + 0.01


def test_a_call_that_raises_has_taken_its_time_too() -> None:
    times = StageTimes()
    with pytest.raises(ZeroDivisionError), times.measure("upsert", 3):
        _ = 1 / 0
    assert times.all()["upsert"].count == 3


@pytest.mark.parametrize(
    ("times", "speed"),
    [
        (models(("embed_dense", 2, "cpu", 0.3), ("embed_sparse", 2, "cpu", 0.1)), 5.0),
        (models(("embed_dense", 4, "openai", 0.4), ("embed_sparse", 2, "cpu", 0.1)), 10.0),
        (models(("embed_dense", 4, "openai", 0.04), ("embed_sparse", 2, "cpu", 0.1)), 20.0),
        (models(("embed_dense", 1, "cpu", 0.5), count=15), None),
        (StageTimes(), None),
    ],
    ids=["one processor", "a slow service", "a fast service", "too few texts", "no model"],
)
def test_the_speed_is_that_of_the_slowest_processor(times: StageTimes, speed: float | None) -> None:
    assert times.chunks_per_second() == (None if speed is None else pytest.approx(speed))


def forecast(*moments: tuple[float, int, int], most_pages: int = 0) -> Forecast:
    made = Forecast(most_pages)
    for moment in moments:
        made.add(Progress(*moment))
    return made


@pytest.mark.parametrize(
    ("moments", "most_pages", "expected"),
    [
        ([(0, 100, 0), (10, 80, 20)], 0, (80, 40.0)),
        ([(0, 100, 0), (100, 400, 100), (130, 400, 130)], 0, None),
        ([(0, 100, 0), (100, 400, 100), (150, 200, 150)], 0, (200, 50.0)),
        ([(0, 10, 0), (50, 900, 100), (100, 1_900, 200)], 500, (300, 150.0)),
        ([(0, 100, 0), (10, 80, 20)], 30, (10, 5.0)),
        ([(0, 145, 0), (30, 136, 1)], 40, None),
        ([(0, 10, 0), (20, 15, 20)], 100, (80, 80.0)),
        ([(0, 100, 0), (2, 80, 20)], 0, None),
        ([(0, 100, 0), (10, 97, 3)], 0, None),
        ([(0, 5, 0), (10, 0, 5)], 0, None),
        ([], 0, None),
    ],
    ids=[
        "the queue shrinks",
        "links bring as many as are fetched",
        "only the last third counts",
        "a bound on pages",
        "a bound that comes first",
        "too few pages to tell when the bound comes",
        "links bring more, and the bound is far",
        "too early",
        "too few",
        "nothing is open",
        "not begun",
    ],
)
def test_what_is_left_follows_from_the_last_third(
    moments: list[tuple[float, int, int]], most_pages: int, expected: tuple[int, float] | None
) -> None:
    left = forecast(*moments, most_pages=most_pages).remaining()
    assert (None if left is None else (left.pages, pytest.approx(left.seconds))) == expected


def test_a_long_crawl_keeps_only_the_moments_of_its_last_third() -> None:
    made = forecast(*((second, 10_000 - second, second) for second in range(3_000)))
    assert 1_000 <= len(made._moments) <= 1_002
