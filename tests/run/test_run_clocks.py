"""A clock that is set back or forward changes neither the order of runs, nor that of pages, nor a wait."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response

from ragcrawler.middlewares.throttling.retry_after import RetryAfterMiddleware
from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.run.steady_clock import SteadyClock

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize("jump", [-24 * HOUR, -HOUR, HOUR, 24 * HOUR])
def test_pages_are_dated_by_the_seconds_since_the_start(jump: timedelta) -> None:
    times = {"wall": NOON, "elapsed": 50.0}
    clock = SteadyClock(lambda: times["wall"], lambda: times["elapsed"])
    times.update(wall=NOON + timedelta(seconds=3) + jump, elapsed=53.0)
    assert clock.now() == NOON + timedelta(seconds=3)


def test_the_clock_of_a_process_is_that_of_the_machine() -> None:
    assert abs(SteadyClock().now() - datetime.now(UTC)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("minutes_later", "name"),
    [
        (1, "20260501T120100Z"),
        (0, "20260501T120000Z"),
        (-1, "20260501T120001Z"),
        (-600, "20260501T120001Z"),
    ],
)
def test_a_later_run_sorts_behind_an_earlier_one(tmp_path: Path, minutes_later: int, name: str) -> None:
    first = RunFolder.named(tmp_path, "seeds", lambda: NOON)
    first.make()
    second = RunFolder.named(tmp_path, "seeds", lambda: NOON + timedelta(minutes=minutes_later))
    assert second.path.name.startswith(name)
    assert sorted([second.path, first.path]) == [first.path, second.path]


def test_folders_that_are_no_runs_do_not_count(tmp_path: Path) -> None:
    for name in ("notes-1", "99999999T999999Z-x", "20270101"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    assert RunFolder.named(tmp_path, "seeds", lambda: NOON).path.name.startswith("20260501T120000Z")


@pytest.mark.parametrize(
    ("date", "asked", "held"),
    [
        ("Fri, 01 May 2026 12:00:00 GMT", "Fri, 01 May 2026 12:01:30 GMT", 90.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:20 GMT", 20.0),
        ("Fri, 01 May 2099 12:00:00 GMT", "Fri, 01 May 2099 11:00:00 GMT", None),
        ("Fri, 01 May 2026 12:00:00 GMT", "7", 7.0),
        ("Fri, 01 May 2026 12:00:00 GMT", "Fri, 01 May 2099 12:00:00 GMT", 300.0),
    ],
)
def test_a_site_that_names_a_date_means_its_own_clock(date: str, asked: str, held: float | None) -> None:
    holds: list[float] = []
    middleware = RetryAfterMiddleware.__new__(RetryAfterMiddleware)
    throttle: Any = SimpleNamespace(held_seconds=lambda _: 0.0, hold=lambda _, seconds: holds.append(seconds))
    crawler: Any = SimpleNamespace(
        engine=SimpleNamespace(downloader=SimpleNamespace(get_slot_key=lambda _: "a.org")),
        stats=SimpleNamespace(inc_value=lambda _: None),
    )
    middleware._throttle, middleware._crawler, middleware._max_seconds = throttle, crawler, 300.0
    response = Response("https://a.org/", status=503, headers={"Date": date, "Retry-After": asked})
    middleware.process_response(Request("https://a.org/"), response)
    assert holds == ([] if held is None else [held])
