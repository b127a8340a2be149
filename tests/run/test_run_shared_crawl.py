"""Workers that begin and end one crawl in Redis."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from ragcrawler.config.crawling.sharing import SharingConfig
from ragcrawler.frontier import Frontier, FrontierOptions, ListingPlace, Target, UrlRecord
from ragcrawler.frontier.filters.kept_out import KeptOut, page_entry
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.dump import DumpError, dump_lines, import_lines
from ragcrawler.frontier.states.protocol import LeaseTerms, key64
from ragcrawler.frontier.states.redis import RedisStateError
from ragcrawler.frontier.states.side_queue import ASKED
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.run.removal.place import LeftError, Taking
from ragcrawler.run.removal.saved_crawls import take_out_of
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.run.reporting.stage_times import StageTime
from ragcrawler.run.reporting.worker_result import (
    CrawlWorker,
    WorkerResult,
    added_stats,
    added_times,
    workers_of,
)
from ragcrawler.run.saved_crawls.saved_crawl import FOUND_BY_SEARCH, FOUND_ELSEWHERE, CrawlIdentity
from ragcrawler.run.sharing.redis_place import RedisPlace
from ragcrawler.run.sharing.shared_crawl import SharedCrawl
from tests.frontier.redis_process import MISSING, PROGRAM, RedisProcess

Join = Callable[..., SharedCrawl]


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if PROGRAM is None:
        pytest.skip(MISSING)
    server = RedisProcess(Path(tmp_path_factory.mktemp("redis")))
    server.start()
    yield server.url
    server.kill()


@pytest.fixture
def join(redis_url: str) -> Join:
    """Begins workers of one crawl; each is named by its run."""
    identity = CrawlIdentity("seeds", {"domains": uuid4().hex}, "collection")

    def begin(run: str, *, resumes: bool = True, lease: float = 60.0) -> SharedCrawl:
        shared = SharedCrawl.open(SharingConfig(redis_url, lease, 60.0), identity, resumes=resumes)
        options = FrontierOptions(Scope.parse("a.org"), ("https://a.org/",))
        frontier = Frontier(options, shared.state, clock=shared.state.clock, leases=LeaseTerms(lease))
        shared.begin_run(run, frontier, 0.5)
        return shared

    return begin


def test_a_page_that_is_taken_out_leaves_the_queue_and_what_searches_said(redis_url: str, join: Join) -> None:
    """Though a worker that died had it in hand; while one is alive, it is left to that one."""
    shared = join("one")
    frontier = Frontier(FrontierOptions(Scope.parse("a.org")), shared.state)
    with shared.state.transaction():
        frontier.add_seeds([f"https://a.org/{name}" for name in ("secret", "open")])
        shared.state.notes.put(ASKED, 7, Target("https://a.org/secret", stands_alone=True).to_json())
        found = [{"url": f"https://a.org/{name}", "title": name} for name in ("secret", "open")]
        shared.state.notes.put(FOUND_BY_SEARCH, 8, json.dumps(found))
        shared.state.notes.put(
            FOUND_ELSEWHERE, 9, json.dumps(["d", "https://a.org/open", "https://a.org/secret"])
        )
    assert len(shared.state.urls.lease(0.0, shared.state.clock() + 60.0, 9, ["a.org"])) == 2
    place = RedisPlace(SharingConfig(redis_url, 60.0, 60.0))
    looked = Taking(KeptOut([page_entry("https://a.org/secret")]), is_dry=True)
    assert take_out_of(place, "another collection", looked) == 0
    with pytest.raises(LeftError, match="workers are on it"):
        take_out_of(place, "collection", looked)
    assert shared.state.workers.leave({}) == 0
    assert take_out_of(place, "collection", looked) == 4
    assert take_out_of(place, "collection", replace(looked, is_dry=False)) == 4
    assert take_out_of(place, "collection", looked) == 0
    assert frontier.ledger.status("https://a.org/secret") == ("skipped", "kept_out")
    assert frontier.ledger.status("https://a.org/open") == ("open", "")
    assert shared.state.notes.get(ASKED, 7) is None
    assert json.loads(shared.state.notes.get(FOUND_BY_SEARCH, 8) or "") == found[1:]
    assert list(shared.state.notes.texts(FOUND_ELSEWHERE)) == []


def result(run: str, **stats: int) -> WorkerResult:
    return WorkerResult(
        CrawlWorker(run, "machine", f"2026-01-01T00:00:0{run}+00:00", 1.0, "finished"),
        {f"ragcrawler/{name}": value for name, value in stats.items()},
        {"convert": StageTime(2, 3.0, 1.0)},
    )


def end(shared: SharedCrawl, run: str, *, is_running: bool = True) -> str:
    return asyncio.run(shared.come_to_end(result(run), lambda: is_running))


async def end_together(*workers: SharedCrawl) -> list[str]:
    ends = [each.come_to_end(result(str(number)), lambda: True) for number, each in enumerate(workers)]
    waiting = [asyncio.ensure_future(each) for each in ends]
    done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    (ender,) = (workers[waiting.index(each)] for each in done)
    assert ender.role == "ends"
    assert not any(each.done() for each in others)
    # Redis refuses a beat once the crawl has ended: those that wait for the end give none.
    assert [each.gives_beats for each in workers] == [each is ender for each in workers]
    ender.end(is_over=ender.is_over("finished", is_done=True))
    ender.close()
    roles = await asyncio.gather(*others)
    reporters = {each.reporter() for each in workers if each is not ender}
    assert reporters == {result(str(workers.index(ender))).worker}
    return [ender.role, *roles]


def test_one_worker_ends_the_crawl_and_the_others_leave_when_it_is_forgotten(join: Join) -> None:
    workers = [join(run) for run in "012"]
    assert sorted(workers[0].runs) == ["1", "2"]
    assert asyncio.run(end_together(*workers)) == ["ends", "leaves", "leaves"]
    assert join("3").runs == ()


def test_a_worker_that_was_away_until_the_crawl_ended_does_not_begin_it_anew(join: Join) -> None:
    late, ender = join("0", lease=0.02), join("1")
    while ender.state.workers.alive() > 1:
        pass
    assert end(ender, "1") == "ends"
    ender.end(is_over=True)
    ender.close()
    with pytest.raises(RedisStateError, match="ended this crawl while this one was away"):
        late.state.urls.add(UrlRecord(key64("x"), "https://a.org/x", "a.org"))
    assert end(late, "0") == "leaves"


def test_the_last_of_interrupted_workers_leaves_a_crawl_that_goes_on(join: Join) -> None:
    one, two = join("0"), join("1")
    one.state.urls.add(UrlRecord(key64("x"), "https://a.org/x", "a.org"))
    one.state.urls.lease(one.state.clock(), one.state.clock() + 60, 1, ["a.org"])
    roles = [end(one, "0", is_running=False), end(two, "1", is_running=False)]
    assert roles == ["leaves", "stops"]
    for each in (one, two):
        each.end(is_over=each.is_over("finished", is_done=True))
        each.close()
    third = join("2")
    assert third.runs == ("0", "1")
    assert third.state.urls.queued() == 1


def test_a_crawl_begins_anew_only_where_nobody_works_on_it(join: Join) -> None:
    one = join("0")
    one.state.urls.add(UrlRecord(key64("x"), "https://a.org/x", "a.org"))
    two = join("1", resumes=False)
    assert two.state.urls.counts().seen == 1
    for each in (one, two):
        each.close()
    assert join("2", resumes=False).state.urls.counts().seen == 0


def test_lost_pages_of_all_workers_are_known_to_the_one_that_reports(join: Join) -> None:
    one, two = join("0"), join("1")
    for each, url in ((one, "https://a.org/x"), (two, "https://a.org/y")):
        each.note_failure(Failure(url, "fetch", "http_500", "", "", stack_trace="x" * 10_000))
    (failure,) = one.failures_of_others()
    assert (failure.url, len(failure.stack_trace)) == ("https://a.org/y", 4_000)


def test_the_collection_is_opened_by_one_worker_at_a_time(join: Join) -> None:
    one, two = join("0"), join("1")
    began: list[bool] = []

    async def opens(shared: SharedCrawl, other: SharedCrawl) -> None:
        async with shared.opening() as is_first:
            began.append(is_first)
            assert not other.state.workers.begin_opening()

    async def both() -> None:
        await asyncio.gather(opens(one, two), opens(two, one))

    asyncio.run(both())
    assert began == [True, False]


def test_a_worker_that_died_while_it_opened_the_collection_holds_up_nobody(join: Join) -> None:
    dead, alive = join("0", lease=0.02), join("1")
    assert dead.state.workers.begin_opening()
    while not alive.state.workers.begin_opening():
        pass
    assert not alive.state.workers.is_opened()


def test_results_are_added_up_and_what_pages_counted_comes_from_the_totals() -> None:
    results = [
        result("1", requests=3, **{"chunk/chunks": 4, "chunk/tokens_min": 9, "chunk/tokens_max": 20}),
        result("2", requests=2, **{"chunk/chunks": 1, "chunk/tokens_min": 7, "chunk/tokens_max": 30}),
    ]
    stats = added_stats(results, {"chunk/chunks": 8}, "ragcrawler/")  # 3 are those of a dead worker
    assert stats == {
        "ragcrawler/requests": 5,
        "ragcrawler/chunk/chunks": 8,
        "ragcrawler/chunk/tokens_min": 7,
        "ragcrawler/chunk/tokens_max": 30,
    }
    assert added_times(results) == {"convert": StageTime(4, 6.0, 2.0)}
    assert [each.end for each in workers_of(results, ["1", "2", "3"])] == ["finished", "finished", "died"]
    assert WorkerResult.from_json(results[0].to_json()) == results[0]


def test_the_crawls_of_a_redis_are_listed_imported_and_deleted(join: Join, redis_url: str) -> None:
    shared = join("0")
    place = RedisPlace(SharingConfig(redis_url, 60.0, 60.0))
    name = shared._name
    with place.open(name) as crawl:
        assert (crawl.is_worked_on, crawl.runs, crawl.about["spider"]) == (True, ["0"], "seeds")
    with pytest.raises(RedisStateError, match="workers on the crawl"):
        place.delete(name)
    listing = Target("https://a.org/sitemap.xml", listing=ListingPlace("https://a.org"))
    shared.state.side_queue.put(key64(f"listing {listing.url}"), "a.org", listing.to_json())
    lines = list(dump_lines(shared.state))
    shared.close()
    place.delete(name)
    with pytest.raises(FrontierStateError, match="there is no crawl"), place.open(name):
        pass
    with pytest.raises(DumpError), place.create(name) as state:
        import_lines(state, ["no dump"])
    assert name not in place.names()
    with place.create(name) as state:
        import_lines(state, lines)
    with pytest.raises(FrontierStateError, match="already"), place.create(name):
        pass
    resumed = join("1")
    assert (resumed.runs, resumed.state.side_queue.queued()) == (("0",), 1)
