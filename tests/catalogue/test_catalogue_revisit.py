"""When a page is visited again."""

import pytest

from ragcrawler.catalogue import Revisit, RevisitSchedule
from ragcrawler.catalogue.revisit import DAY_SECONDS as DAY
from ragcrawler.catalogue.revisit import HOUR_SECONDS as HOUR

NOW = 1_000_000_000.0
SCHEDULE = RevisitSchedule(min_seconds=HOUR, max_seconds=14 * DAY, growth=0.5, shrinkage=0.5)


def visited(interval: float, ago: float) -> Revisit:
    """A page that was visited so long ago."""
    return Revisit(interval, NOW - ago + interval)


@pytest.mark.parametrize(
    ("before", "is_changed", "interval"),
    [
        (Revisit(), None, DAY),  # seen for the first time
        (Revisit(), False, DAY),
        (visited(DAY, DAY), False, 1.5 * DAY),
        (visited(DAY, 9 * DAY), False, 1.5 * DAY),
        (visited(12 * DAY, 12 * DAY), False, 14 * DAY),
        (visited(DAY, DAY), True, 12.5 * HOUR),
        (visited(DAY, 9 * DAY), True, 12.5 * HOUR),
        (visited(HOUR, HOUR), True, HOUR),
        (visited(DAY, DAY), None, DAY),
        # A visit before its time is a sample of that time alone.
        (visited(8 * DAY, DAY), False, 8 * DAY),
        (visited(8 * DAY, 6 * DAY), False, 9 * DAY),
        (visited(8 * DAY, DAY), True, 12.5 * HOUR),
        (visited(8 * DAY, 0.0), False, 8 * DAY),
        # The clock was set back.
        (visited(8 * DAY, -DAY), False, 8 * DAY),
        # The bounds were changed since.
        (visited(60 * DAY, 60 * DAY), None, 14 * DAY),
        (visited(60.0, 60.0), None, HOUR),
    ],
)
def test_an_interval_grows_without_a_change_and_shrinks_with_one(
    before: Revisit, is_changed: bool | None, interval: float
) -> None:
    after = SCHEDULE.after_visit(before, NOW, is_changed=is_changed)
    assert after == Revisit(interval, NOW + interval)


def test_factors_and_bounds_are_those_of_the_schedule() -> None:
    schedule = RevisitSchedule(
        first_seconds=100.0, min_seconds=10.0, max_seconds=300.0, growth=2.0, shrinkage=1.0
    )
    seen = schedule.after_visit(Revisit(), 0.0, is_changed=None)
    grown = schedule.after_visit(seen, 100.0, is_changed=False)
    shrunk = schedule.after_visit(grown, 400.0, is_changed=True)
    assert (seen, grown, shrunk) == (Revisit(100.0, 100.0), Revisit(300.0, 400.0), Revisit(10.0, 410.0))
