"""Links that several workers find at once: what happens between a look at the state and the entry."""

from collections.abc import Callable

import pytest

from ragcrawler.frontier import Frontier, FrontierOptions, FrontierState, Target
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.protocol import Status
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.urls.links.page_links import PageLinks

SITE = "https://a.org"
START = Target(f"{SITE}/")


class Interrupted:
    """A filter that lets another worker act once, before it answers."""

    def __init__(self, refusal: str, act: Callable[[], object]) -> None:
        self._refusal = refusal
        self._acts = [act]

    def learn(self, urls: object) -> None:
        """Nothing."""

    def refusal(self, url: str, depth: int, language: str = "") -> str:
        if self._acts:
            self._acts.pop()()
        return self._refusal


class Observer:
    """Remembers what it is told, and tries to lease what is told as added."""

    def __init__(self, state: FrontierState) -> None:
        self.events: list[str] = []
        self._state = state

    def added(self, key: int, url: str) -> None:
        self.events.append("added")
        assert self._state.urls.lease(0.0, 60.0, 1, ["a.org"]) == []

    def marked_nofollow(self, key: int, url: str) -> None:
        raise AssertionError

    def found(self, key: int, parent_url: str, depth: int) -> None:
        self.events.append(f"found on {parent_url}")

    def answered(self, key: int, final_url: str) -> None:
        raise AssertionError

    def decided(self, key: int, url: str, status: Status, reason: str) -> None:
        self.events.append(f"{status}: {reason}")

    def closed(self, reason: str) -> None:
        raise AssertionError


def worker(state: FrontierState) -> Frontier:
    return Frontier(FrontierOptions(scope=Scope.parse("a.org"), named_urls=(START.url,)), state)


def interrupt(frontier: Frontier, act: Callable[[], object], refusal: str = "") -> None:
    frontier._admission._filter = Interrupted(refusal, act)  # type: ignore[assignment]


def found(frontier: Frontier, *urls: str) -> list[str]:
    return [target.url for target in frontier.add(PageLinks(urls), START)]


@pytest.mark.parametrize("is_nofollow", [False, True])
def test_a_refused_url_can_be_leased_at_no_moment(is_nofollow: bool) -> None:
    state = SqliteState()
    frontier, url = worker(state), f"{SITE}/a.png"
    observer = Observer(state)
    frontier.ledger.observers.add(observer)
    interrupt(frontier, lambda: None, "media")
    links = PageLinks((), nofollow=(url,)) if is_nofollow else PageLinks((url,))
    assert frontier.add(links, START) == []
    assert observer.events == ["added", f"found on {START.url}", "skipped: media"]
    assert frontier.counts().skipped == {"media": 1}


def test_of_two_workers_that_find_a_link_at_once_one_asks_for_it() -> None:
    state = SqliteState()
    one, other = worker(state), worker(state)
    by_other: list[str] = []
    interrupt(one, lambda: by_other.extend(found(other, f"{SITE}/x")))
    assert (found(one, f"{SITE}/x"), by_other) == ([], [f"{SITE}/x"])


def test_a_spelling_is_tried_out_though_another_worker_enters_the_page_meanwhile() -> None:
    state = SqliteState()
    one, other = worker(state), worker(state)
    interrupt(one, lambda: found(other, f"{SITE}/x?a=1&b=2"))
    assert found(one, f"{SITE}/x?b=2&a=1") == [f"{SITE}/x?b=2&a=1"]
    assert state.urls.counts().open == 2
