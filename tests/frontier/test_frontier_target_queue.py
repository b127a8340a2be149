"""Which target is next."""

import pytest

from ragcrawler.frontier import Target, UrlRecord
from ragcrawler.frontier.states.protocol import CRASHES, key64
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target_queue import TargetQueue


@pytest.mark.parametrize(("crashes", "is_deadly"), [(0, False), (29, False), (30, True)])
def test_a_page_over_which_thirty_processes_died_is_deadly(crashes: int, is_deadly: bool) -> None:
    state, url = SqliteState(), "https://a.org/x"
    queue = TargetQueue(state, key64)
    state.urls.add(UrlRecord(key64(url), url, "a.org", attempts=crashes))
    state.notes.count(CRASHES, key64(url), crashes)
    queue.put(Target(url))
    leased = queue.next(0.0, lambda _: True)
    assert leased is not None
    assert (leased.target, leased.crashes, leased.is_deadly) == (Target(url), crashes, is_deadly)
