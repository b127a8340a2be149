"""Frontiers of several workers on one Redis: each page of a site is kept by one of them."""

from itertools import count
from uuid import uuid4

import pytest

from ragcrawler.frontier import (
    Decision,
    FetchFailure,
    Frontier,
    FrontierOptions,
    Keep,
    LeaseLostError,
    ParsedResponse,
    Skip,
    Target,
    UrlRecord,
)
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.protocol import LeaseTerms, key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState
from ragcrawler.items import Page
from ragcrawler.urls.links.page_links import PageLinks
from tests.frontier.redis_process import RedisProcess

SITE = "https://a.org"
PAGES = 31
SECONDS = count(1)


def worker(address: RedisAddress) -> tuple[Frontier, RedisState]:
    state = RedisState(address)
    options = FrontierOptions(scope=Scope.parse("a.org"), named_urls=(f"{SITE}/",))
    frontier = Frontier(options, state, clock=state.clock)
    with frontier.effects.transaction():
        frontier.start()
    return frontier, state


def leased(frontier: Frontier) -> Target | None:
    found = frontier.queue.next(frontier.clock(), lambda _: True)
    return found.target if found else None


def parsed(url: str) -> ParsedResponse:
    number = int(url.rpartition("/")[2] or 0)
    links = [f"{SITE}/{each}" for each in (2 * number + 1, 2 * number + 2) if each < PAGES]
    item = Page(
        id=url, url=url, final_url=url, body=b"", content_type="text/html", status=200, fetched_at="", depth=0
    )
    return ParsedResponse(item, PageLinks((*links, f"{SITE}/")))


def keep(frontier: Frontier, target: Target) -> str | None:
    """Fetch a target, and store its page; its URL, None where it is not kept."""
    final = frontier.resolve_redirect(target, target.url)
    decision = frontier.effects.judge(target, final, parsed(target.url) if frontier.needs(final) else None)
    if not isinstance(decision, Keep):
        return None
    frontier.effects.keep(target.url, {})
    return target.url


def test_each_page_is_kept_by_one_of_three_workers_though_one_dies(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    workers = [worker(address) for _ in range(3)]
    kept: list[str] = []
    dead = None
    while not workers[-1][1].workers.is_over():
        for frontier, state in workers:
            target = leased(frontier)
            if target is not None and dead is None and len(kept) > PAGES // 3:
                # It was asked for, and its worker is not heard of again.
                dead = frontier
                workers.remove((frontier, state))
                break
            if target is not None and (url := keep(frontier, target)):
                kept.append(url)
        if dead is not None and not workers[0][1].urls.queued():
            workers[0][1].urls.reclaim()
    assert sorted(kept) == sorted([f"{SITE}/", *(f"{SITE}/{number}" for number in range(1, PAGES))])
    counts = workers[0][0].counts()
    assert (counts.seen, counts.open, counts.fetched) == (PAGES, 0, PAGES)


def shared_worker(address: RedisAddress) -> tuple[Frontier, RedisState]:
    state = RedisState(address)
    options = FrontierOptions(scope=Scope.parse("a.org"), named_urls=(f"{SITE}/",))
    frontier = Frontier(options, state, clock=state.clock, leases=LeaseTerms(60.0))
    with frontier.effects.transaction():
        frontier.start()
    return frontier, state


def judged(frontier: Frontier, target: Target) -> Decision:
    """The page of a target comes."""
    return frontier.effects.judge(target, frontier.resolve_redirect(target, target.url), parsed(target.url))


def polled(frontier: Frontier) -> Target | None:
    """The next target, by a worker that has not looked for a while."""
    found = frontier.queue.next(frontier.clock() + next(SECONDS), lambda _: True)
    return found.target if found else None


def all_leases_run_out(state: RedisState) -> None:
    assert state.urls.lease(1e12, 1e12, 1, ["nobody.example"]) == []


def test_a_worker_that_stood_still_changes_nothing_of_a_page_that_is_anothers(
    redis_server: RedisProcess,
) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    (stale, state), (later, _) = shared_worker(address), shared_worker(address)
    first = polled(stale)
    assert first is not None
    assert isinstance(judged(stale, first), Keep)  # it is in the pipelines
    all_leases_run_out(state)
    second = polled(later)
    assert second == first
    stale.effects.keep(first.url, {"documents/new": 1})
    assert (later.counts().open, later.counts().fetched, later.counts().seen) == (1, 0, 1)
    assert second is not None
    assert isinstance(judged(later, second), Keep)
    later.effects.keep(second.url, {"documents/new": 1})
    assert (later.counts().open, later.counts().fetched, later.counts().seen) == (2, 1, 3)
    assert later.totals.values["documents/new"] == 1
    assert stale.totals.values["leases/lost"] == 1


@pytest.mark.parametrize("came_first", [False, True])
def test_the_answer_of_a_stale_worker_is_no_answer(redis_server: RedisProcess, came_first: bool) -> None:
    """Else the page would be taken for accepted, and the answer to the later worker be thrown away."""
    address = RedisAddress(redis_server.url, uuid4().hex)
    (stale, state), (later, _) = shared_worker(address), shared_worker(address)
    first = polled(stale)
    assert first is not None
    all_leases_run_out(state)
    second = polled(later)
    assert second is not None
    answers = [(stale, first), (later, second)]
    decisions = {each: judged(each, target) for each, target in (answers if came_first else answers[::-1])}
    assert decisions[stale] == Skip()
    assert isinstance(decisions[later], Keep)


def test_a_failure_that_a_stale_worker_saw_is_no_failure(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    (stale, state), (later, _) = shared_worker(address), shared_worker(address)
    first = polled(stale)
    assert first is not None
    all_leases_run_out(state)
    assert polled(later) == first
    failure = FetchFailure("http_500", is_answer=True)
    assert stale.effects.while_held(first, lambda: stale.failed(first, failure)) is None
    assert (later.counts().open, later.counts().failed, list(later.incomplete_sites)) == (1, {}, [])


def test_a_worker_sends_no_request_for_what_it_leased_before_it_stood_still(
    redis_server: RedisProcess,
) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    (frontier, state), (_, other) = shared_worker(address), shared_worker(address)
    for number in range(1, 4):
        state.urls.add(UrlRecord(key64(f"{SITE}/{number}"), f"{SITE}/{number}", "a.org"))
    first = polled(frontier)
    assert first is not None
    with frontier.while_leased(first):
        pass
    all_leases_run_out(state)
    others = {each.url for each in other.urls.lease(0.0, 1e12, 2, ["a.org"])}
    frontier.queue.keep_leases(frontier.clock())
    mine = [polled(frontier) for _ in range(3)]
    assert others | {each.url for each in mine if each} == {f"{SITE}/{number or ''}" for number in range(4)}
    assert mine[2] is None
    with pytest.raises(LeaseLostError), frontier.while_leased(first):
        pass


def test_leases_of_a_worker_that_did_not_renew_them_in_time_are_taken_for_lost(
    redis_server: RedisProcess,
) -> None:
    frontier, _ = shared_worker(RedisAddress(redis_server.url, uuid4().hex))
    target = polled(frontier)
    assert target is not None
    now = frontier.clock()
    assert frontier.queue.has_lease(target.lease, now + 59.0)
    assert not frontier.queue.has_lease(target.lease, now + 61.0)
    frontier.queue.keep_leases(now + 30.0)
    assert frontier.queue.has_lease(target.lease, now + 61.0)


def test_a_page_to_which_a_redirect_leads_is_left_to_who_asks_for_it(redis_server: RedisProcess) -> None:
    address = RedisAddress(redis_server.url, uuid4().hex)
    (one, state), (other, _) = shared_worker(address), shared_worker(address)
    state.urls.add(UrlRecord(key64(f"{SITE}/9"), f"{SITE}/9", "a.org"))
    start = polled(one)
    named = polled(one)
    assert start is not None
    assert named is not None
    assert other.queue.is_shared
    final = one.resolve_redirect(start, named.url)
    assert final is not None
    assert not one.needs(final)
    assert one.effects.judge(start, final, None) == Skip()
    assert isinstance(judged(one, named), Keep)


def test_a_page_of_a_lost_lease_that_is_in_the_pipelines_keeps_its_successor_waiting(
    redis_server: RedisProcess,
) -> None:
    """A worker that woke up may lease once more what it still works on."""
    address = RedisAddress(redis_server.url, uuid4().hex)
    frontier, state = shared_worker(address)
    first = polled(frontier)
    assert first is not None
    assert isinstance(judged(frontier, first), Keep)
    all_leases_run_out(state)
    again = polled(frontier)
    assert again is not None
    assert again.lease > first.lease
    assert judged(frontier, again) == Skip()
    assert frontier.effects.lease_of(first.url) == first.lease
    frontier.effects.keep(first.url, {})
    assert frontier.counts().open == 1
    all_leases_run_out(state)
    last = polled(frontier)
    assert last is not None
    assert isinstance(judged(frontier, last), Keep)
    frontier.effects.keep(last.url, {})
    assert frontier.counts().fetched == 1
