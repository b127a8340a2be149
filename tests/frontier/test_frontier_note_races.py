"""What a worker notes though another one changes the same text at that moment."""

from collections.abc import Callable
from typing import Any

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.variants import VariantRules, Variants
from ragcrawler.frontier.outcomes.pending_canonicals import PendingCanonicals, WaitingPage
from ragcrawler.frontier.states.protocol import key64
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target import Target
from ragcrawler.frontier.url_variants import Spellings

BEST = "https://a.org/best"


class Interrupted:
    """Notes of a worker; just before it changes a kind for the first time, another one acts."""

    def __init__(self, state: SqliteState, kind: str, act: Callable[[], object]) -> None:
        self._notes = state.notes
        self._kind = kind
        self._act = [act]

    def __getattr__(self, name: str) -> Callable[..., object]:
        method: Callable[..., object] = getattr(self._notes, name)

        def interrupted(kind: str, *arguments: object) -> object:
            if name in ("swap", "put", "count") and kind == self._kind and self._act:
                self._act.pop()()
            return method(kind, *arguments)

        return interrupted


def test_pages_that_two_workers_let_wait_for_one_are_both_released() -> None:
    state = SqliteState()
    one, other = (WaitingPage(Target(f"https://a.org/{name}"), "canonical") for name in "ab")
    others = PendingCanonicals(state.notes, key64)
    notes: Any = Interrupted(state, "waiting", lambda: others.wait(other, BEST))
    mine = PendingCanonicals(notes, key64)
    mine.wait(one, BEST)
    assert sorted(each.target.url for each in mine.release(BEST)) == ["https://a.org/a", "https://a.org/b"]
    assert not mine.is_waiting("https://a.org/a")


def test_the_better_version_of_another_worker_stays() -> None:
    state, rules = SqliteState(), VariantRules(versions=("latest",))
    others = Variants(rules, state.notes)
    notes: Any = Interrupted(state, "best_version", lambda: others.learn(["https://a.org/v3/page"]))
    mine = Variants(rules, notes)
    mine.learn(["https://a.org/v2/page"])
    assert mine.refusal(Candidate("https://a.org/v2/page")) == "other_version"
    assert mine.refusal(Candidate("https://a.org/v3/page")) is None


def test_two_workers_try_out_no_more_spellings_than_one() -> None:
    state = SqliteState()
    others = Spellings(state.notes, state.urls)
    urls = [f"https://www.a.org/{number}" for number in range(4)]
    tried = [others.try_out(Target(url)) for url in urls[:2]]
    notes: Any = Interrupted(state, "trials", lambda: tried.append(others.try_out(Target(urls[2]))))
    mine = Spellings(notes, state.urls)
    assert not mine.try_out(Target(urls[3]))
    assert tried == [True, True, True]
