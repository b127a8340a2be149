"""Frontiers of several workers on one Redis: each page of a site is kept by one of them."""

from uuid import uuid4

from ragcrawler.frontier import Frontier, FrontierOptions, Keep, ParsedResponse, Target
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.redis import RedisAddress, RedisState
from ragcrawler.items import Page
from ragcrawler.urls.links.page_links import PageLinks
from tests.frontier.redis_process import RedisProcess

SITE = "https://a.org"
PAGES = 31


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
