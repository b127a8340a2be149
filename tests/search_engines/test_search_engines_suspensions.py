"""Engines that are left alone: for how long, over restarts, and with no request meanwhile."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from ragcrawler.search_engines.answer import EngineAnswer, EngineResult, SearchState, UnresponsiveEngine
from ragcrawler.search_engines.collector import EngineAccess, SearchCollector
from ragcrawler.search_engines.engine import EngineReply, EngineRequest, FetchError
from ragcrawler.search_engines.pace import EnginePace
from ragcrawler.search_engines.query import SearchQuery
from ragcrawler.search_engines.suspensions import (
    SuspensionStore,
    SuspensionStoreError,
    suspension_seconds,
)

DAY = 24 * 3600


@pytest.mark.parametrize(
    ("state", "message", "failures", "asked", "seconds"),
    [
        (SearchState.OK, "", 1, None, 0),
        (SearchState.EMPTY, "", 1, None, 0),
        (SearchState.LAYOUT_CHANGED, "", 1, None, 0),
        (SearchState.ROBOTS, "", 1, None, 0),
        (SearchState.BLOCKED, "HTTP 429", 1, None, 180),
        (SearchState.BLOCKED, "HTTP 429", 5, 30.0, 180),
        (SearchState.BLOCKED, "HTTP 429", 1, 900.0, 900),
        (SearchState.BLOCKED, "HTTP 429", 1, 1e9, 15 * DAY),
        (SearchState.CAPTCHA, "captcha: ...", 1, None, 3600),
        (SearchState.CAPTCHA, "reCAPTCHA: ...", 1, None, 7 * DAY),
        (SearchState.CAPTCHA, "Cloudflare: ...", 1, None, 15 * DAY),
        (SearchState.CONSENT, "", 1, None, 3600),
        (SearchState.TIMEOUT, "", 1, None, 5),
        (SearchState.TIMEOUT, "", 4, None, 40),
        (SearchState.FAILED, "", 50, None, 120),
    ],
)
def test_each_state_has_its_rest(
    state: SearchState, message: str, failures: int, asked: float | None, seconds: float
) -> None:
    assert suspension_seconds(state, message, failures=failures, asked_seconds=asked) == seconds


def test_a_rest_outlives_the_process_and_ends_at_its_time(tmp_path: Path) -> None:
    path = tmp_path / "state" / "search_engines.db"
    store = SuspensionStore(path)
    assert store.suspend("google", SearchState.CAPTCHA, now=1000.0) == 3600
    store.close()
    again = SuspensionStore(path)
    rest = again.get("google", now=1001.0)
    assert rest is not None
    assert (rest.until, rest.state) == (4600.0, SearchState.CAPTCHA)
    assert again.get("google", now=4600.0) is None
    assert again.get("bing", now=1001.0) is None
    again.close()


def test_a_longer_rest_is_not_cut_short_and_an_answer_ends_it() -> None:
    store = SuspensionStore(None)
    store.suspend("google", SearchState.CAPTCHA, now=0.0)
    store.suspend("google", SearchState.TIMEOUT, now=10.0)
    rest = store.get("google", now=100.0)
    assert rest is not None
    assert rest.until == 3600
    store.clear("google")
    assert store.get("google", now=100.0) is None


def test_a_file_that_is_no_database_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "search_engines.db"
    path.write_bytes(b"no database, but long enough to be read as one" * 100)
    with pytest.raises(SuspensionStoreError, match=r"search_engines\.db"):
        SuspensionStore(path)


class ScriptedEngine:
    """Gives one answer after the other, and counts what it is asked; it is its own fetcher."""

    def __init__(
        self, *answers: EngineAnswer | FetchError, name: str = "scripted", max_pages: int = 9
    ) -> None:
        self.name, self.max_pages = name, max_pages
        self.answers = list(answers)
        self.asked: list[str] = []

    def request(self, query: SearchQuery, page: int) -> EngineRequest:
        return EngineRequest(self.name, f"https://{self.name}.example/{query.text}/{page}")

    async def fetch(self, request: EngineRequest) -> EngineReply:
        self.asked.append(request.url)
        if isinstance(self.answers[0], FetchError):
            raise self.answers.pop(0)  # type: ignore[misc]
        return EngineReply(request.url, 200, {}, "")

    def read(self, reply: EngineReply) -> EngineAnswer:
        return self.answers.pop(0)  # type: ignore[return-value]


class ScriptedRobots:
    async def refusal(self, url: str) -> str:
        return "robots.txt forbids it"


def ok(*numbers: int, last: bool = False) -> EngineAnswer:
    urls = tuple(EngineResult(f"https://a.example/{number}") for number in numbers)
    return EngineAnswer(SearchState.OK, urls, is_last=last)


EMPTY = EngineAnswer(SearchState.EMPTY, is_last=True)
CAPTCHA = EngineAnswer(SearchState.CAPTCHA, message="captcha")


def collector(engines: Sequence[ScriptedEngine], store: SuspensionStore, now: float = 0.0) -> SearchCollector:
    accesses = [EngineAccess(engine, engine, EnginePace(0)) for engine in engines]
    return SearchCollector(accesses, store, clock=lambda: now)


@pytest.mark.parametrize(
    ("answers", "pages", "state", "urls", "requests"),
    [
        ([ok(1, 2), ok(3), EMPTY], 5, SearchState.OK, 3, 3),
        ([ok(1), ok(2), ok(3)], 2, SearchState.OK, 2, 2),
        ([ok(1, last=True)], 5, SearchState.OK, 1, 1),
        ([ok(1), ok(1)], 5, SearchState.OK, 2, 2),
        ([EMPTY], 5, SearchState.EMPTY, 0, 1),
        ([ok(1), CAPTCHA], 5, SearchState.CAPTCHA, 1, 2),
        ([FetchError(SearchState.TIMEOUT, "no answer in 3 s")], 5, SearchState.TIMEOUT, 0, 1),
    ],
)
def test_pages_are_asked_for_until_there_is_a_reason_to_stop(
    answers: list[EngineAnswer | FetchError], pages: int, state: SearchState, urls: int, requests: int
) -> None:
    engine = ScriptedEngine(*answers)
    (outcome,) = asyncio.run(collector([engine], SuspensionStore(None)).search(SearchQuery("q"), pages))
    assert (outcome.state, len(outcome.results), len(engine.asked)) == (state, urls, requests)
    assert outcome.requests == requests


def test_a_suspended_engine_gets_no_request_over_a_restart_until_its_time_is_over(tmp_path: Path) -> None:
    path = tmp_path / "search_engines.db"
    first = SuspensionStore(path)
    asyncio.run(collector([ScriptedEngine(CAPTCHA)], first).search(SearchQuery("q"), 3))
    first.close()
    engine, other = ScriptedEngine(ok(1, last=True)), ScriptedEngine(ok(2, last=True), name="other")
    second = SuspensionStore(path)
    for now in (1.0, 1800.0, 3599.0):
        outcome, others = asyncio.run(
            collector([engine, other], second, now).search(SearchQuery(f"at {now}"), 1)
        )
        other.answers = [ok(2, last=True)]
        assert (outcome.state, outcome.results, engine.asked) == (SearchState.SUSPENDED, (), [])
        assert "captcha" in outcome.message
        assert others.state is SearchState.OK
    (outcome,) = asyncio.run(collector([engine], second, 3600.0).search(SearchQuery("q"), 1))
    assert (outcome.state, len(engine.asked)) == (SearchState.OK, 1)
    second.close()


def test_an_engine_is_not_asked_where_its_robots_txt_forbids() -> None:
    engine = ScriptedEngine(ok(1))
    access = EngineAccess(engine, engine, EnginePace(0), ScriptedRobots())
    (outcome,) = asyncio.run(SearchCollector([access], SuspensionStore(None)).search(SearchQuery("q"), 1))
    assert (outcome.state, engine.asked) == (SearchState.ROBOTS, [])


def test_an_answer_that_asks_for_no_rest_leaves_the_engine_free() -> None:
    engine = ScriptedEngine(EngineAnswer(SearchState.BLOCKED, message="JSON is off", suspends=False), EMPTY)
    asking = collector([engine], SuspensionStore(None))
    asyncio.run(asking.search(SearchQuery("q"), 1))
    assert asyncio.run(asking.search(SearchQuery("q"), 1))[0].state is SearchState.EMPTY


def test_engines_behind_one_are_named_once_over_its_pages() -> None:
    silent = (UnresponsiveEngine("brave", SearchState.CAPTCHA, "CAPTCHA"),)
    pages = [
        EngineAnswer(SearchState.OK, ok(number).results, unresponsive=silent, alarm=f"{number}")
        for number in (1, 2)
    ]
    (outcome,) = asyncio.run(
        collector([ScriptedEngine(*pages)], SuspensionStore(None)).search(SearchQuery("q"), 2)
    )
    assert (outcome.unresponsive, outcome.alarms) == (silent, ("1", "2"))


def test_requests_are_a_random_time_apart() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def three_turns() -> None:
        pace = EnginePace(8.0, sleep, draw=lambda least, most: (least + most) / 2 + 0.25)
        for _ in range(3):
            await pace.turn()

    asyncio.run(three_turns())
    assert slept == [10.0, 10.0]
