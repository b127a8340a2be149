"""What a crawl does page by page: bounded, added up, and read back as it was written."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragcrawler.run.reporting.activity import CrawlActivity, ListedPage, SlowPage
from ragcrawler.run.reporting.activity.histogram import Histogram
from ragcrawler.run.reporting.activity.time_series import TimeSeries
from ragcrawler.run.reporting.worker_result import CrawlWorker, WorkerResult, added_activity

BEGAN = 1_700_000_000.0


@pytest.mark.parametrize(
    ("seconds", "width", "length"),
    [([0], 1, 1), ([0, 119.9], 1, 120), ([0, 120], 2, 61), ([0, 100_000], 1024, 98), ([-5], 1, 1)],
)
def test_buckets_get_wider_where_the_time_gets_longer(
    seconds: list[float], width: float, length: int
) -> None:
    series = TimeSeries(("pages",), BEGAN)
    for second in seconds:
        series.add("pages", BEGAN + second)
    assert (series.width_seconds, series.length) == (width, length)
    assert sum(series.counts["pages"]) == len(seconds)


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1e7), max_size=60), st.lists(st.floats(0, 1e7), max_size=60))
def test_no_count_is_lost_in_wide_buckets_and_sums(one: list[float], other: list[float]) -> None:
    series = [TimeSeries(("pages",), BEGAN), TimeSeries(("pages", "failed"), BEGAN + 7)]
    for each, seconds in zip(series, (one, other), strict=True):
        for second in seconds:
            each.add("pages", each.began + second)
    both = series[0].plus(series[1])
    assert sum(both.counts["pages"]) == len(one) + len(other)
    assert both.length <= 120
    assert both.cumulated("failed") == [0] * both.length


@pytest.mark.parametrize(("value", "place"), [(0, 0), (1, 0), (1.01, 1), (10, 1), (11, 2), (1e9, 2)])
def test_a_value_counts_at_the_first_bound_that_it_does_not_exceed(value: float, place: int) -> None:
    histogram = Histogram((1, 10))
    histogram.add(value)
    assert histogram.counts.index(1) == place
    assert (histogram.count, histogram.mean, histogram.maximum) == (1, value, value)


def test_histograms_of_other_bounds_cannot_be_added() -> None:
    assert Histogram((1,)).mean == 0
    with pytest.raises(ValueError, match="cannot be added"):
        Histogram((1,)).plus(Histogram((2,)))
    with pytest.raises(ValueError, match="3 counts for 1 bounds"):
        Histogram.from_json({"bounds": [1], "counts": [1, 2, 3], "total": 1, "maximum": 1})


def seen(pages: int, *, began: float = BEGAN) -> CrawlActivity:
    """An activity in which everything was noted."""
    activity = CrawlActivity(began)
    for number in range(pages):
        activity.note("pages", now=began + number)
        activity.note("chunks", 3, now=began + number)
        activity.note_duration(f"https://a.example/{number}", number, number / 2)
        activity.note_sizes((10, 100, 1000))
        activity.page_bytes.add(5_000)
        activity.statuses["200"] += 1
        activity.list_page("new", f"https://a.example/{number}", "x" * 9_000)
    activity.note("failed", now=began)
    return activity


def test_it_is_read_back_as_it_was_written_and_does_not_grow() -> None:
    activity = seen(2_000)
    text = json.dumps(activity.to_json())
    assert CrawlActivity.from_json(json.loads(text)).to_json() == json.loads(text)
    assert len(text) < 500_000
    assert activity.slowest[0] == SlowPage(1999, "https://a.example/1999", 999.5)
    assert (len(activity.slowest), len(activity.listed["new"])) == (25, 200)
    assert activity.listed["new"][0] == ListedPage("https://a.example/0", "x" * 2_000)


def test_what_workers_saw_is_added_up_and_one_that_died_saw_nothing() -> None:
    left = [
        WorkerResult(CrawlWorker("a"), activity=seen(3, began=BEGAN + 2).to_json()),
        WorkerResult(CrawlWorker("dead")),
    ]
    read = [WorkerResult.from_json(json.loads(json.dumps(each.to_json()))) for each in left]
    both = added_activity(read, seen(2))
    assert both.series.counts["pages"] == [1, 1, 1, 1, 1]
    assert both.series.counts["failed"] == [1, 0, 1]
    assert both.statuses == Counter({"200": 5})
    assert both.tokens.count == 15
    assert [slow.seconds for slow in both.slowest] == [2, 1, 1, 0, 0]
