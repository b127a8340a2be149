"""Endless sites are cut off by reason, and honest ones are not."""

import itertools
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.traps import TrapLimits, Traps
from ragcrawler.frontier.states.sqlite import SqliteState

SITE = "https://a.org"
UNBOUND = TrapLimits(0, 0, 0, 0, 0, 0)


def refusals(urls: Iterable[str], limits: TrapLimits | None = None) -> list[str]:
    traps = Traps(limits or TrapLimits(), SqliteState().notes)
    return [reason for url in urls if (reason := traps.refusal(Candidate(url)))]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (f"/{'x' * 1000}", "trap_length"),
        (f"/x?{'&'.join(f'p{number}=1' for number in range(11))}", "trap_parameters"),
        ("/" + "/".join(str(number) for number in range(26)), "trap_depth"),
        ("/a/b/a/b/a/b/a/b", "trap_repetition"),
        ("/x/x/x/x", "trap_repetition"),
        ("/a/b/a/c/a", None),
        (f"/{'x' * 900}", None),
        ("/" + "/".join(str(number) for number in range(25)), None),
        (f"/x?{'&'.join(f'p{number}=1' for number in range(10))}", None),
        (f"/x?a=1&{'&'.join(f'utm_{number}=1' for number in range(20))}", None),
    ],
)
def test_a_url_of_an_odd_shape_is_a_trap(path: str, reason: str | None) -> None:
    assert Traps(TrapLimits(), SqliteState().notes).refusal(Candidate(SITE + path)) == reason
    assert Traps(UNBOUND, SqliteState().notes).refusal(Candidate(SITE + path)) is None


@pytest.mark.parametrize(
    "form",
    [
        "/calendar/{year}/{month}",
        "/calendar/{year}/{month:02}/",
        "/events/{year}-{month:02}-15/list",
        "/events?month={month}&year={year}",
        "/events?view=month&tribe-bar-date={year}-{month:02}-01",
        "/blog?m={year}{month:02}",
        "/on?date={year}{month:02}15",
    ],
)
def test_a_calendar_ends_after_some_dates(form: str) -> None:
    urls = [SITE + form.format(year=2000 + month // 12, month=month % 12 + 1) for month in range(500)]
    assert refusals(urls) == ["trap_calendar"] * 300
    assert refusals(urls, UNBOUND) == []


def test_articles_under_their_dates_are_no_calendar() -> None:
    urls = [
        f"{SITE}/{2000 + number % 20}/{number % 12 + 1:02}/{number % 28 + 1:02}/story-{number}"
        for number in range(2000)
    ]
    assert refusals(urls) == []


def test_numbered_pages_are_no_calendar() -> None:
    assert refusals(f"{SITE}/issues/{number}" for number in range(3000)) == []
    assert refusals(f"{SITE}/issues?page={number}" for number in range(3000)) == []
    assert refusals(f"{SITE}/papers/{20_100_000 + number}" for number in range(3000)) == []
    assert refusals(f"{SITE}/threads/{30_000 + number}/5" for number in range(3000)) == []


def test_combined_filters_end_after_some_combinations() -> None:
    values = itertools.product(range(10), range(8), range(6), range(4))
    urls = [f"{SITE}/shop?colour={a}&size={b}&brand={c}&sort={d}" for a, b, c, d in values]
    assert refusals(urls) == ["trap_facets"] * (len(urls) - 100)


def test_any_subset_of_many_filters_ends_too() -> None:
    names = "abcdefghij"
    urls = [
        f"{SITE}/shop?{'&'.join(f'{name}=1' for name in subset)}"
        for size in range(2, 11)
        for subset in itertools.combinations(names, size)
    ]
    assert len(urls) > 1000
    assert refusals(urls) == ["trap_facets"] * (len(urls) - 100)


def test_queries_that_name_things_are_no_filters() -> None:
    urls = [
        f"{SITE}/viewtopic.php?f={topic % 30}&t={topic}&start={page * 15}"
        for topic in range(400)
        for page in range(topic % 9)
    ]
    assert refusals(urls) == []


def test_each_path_has_its_own_count() -> None:
    urls = [f"{SITE}/shop/{number}?colour=1&size={size}" for number in range(200) for size in range(5)]
    assert refusals(urls) == []


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(2000, 2005)), max_size=60))
def test_a_url_that_was_let_through_is_let_through_again(choices: list[tuple[int, int, int]]) -> None:
    traps = Traps(TrapLimits(max_dates=3, max_facets=1), SqliteState().notes)
    urls = [f"{SITE}/{a}?x={b}&date={year}-01-01" for a, b, year in choices]
    first = {url: traps.refusal(Candidate(url)) for url in urls}
    for url, refusal in first.items():
        if refusal is None:
            assert traps.refusal(Candidate(url)) is None
