"""The frontier of a running crawl."""

from typing import Any
from weakref import WeakKeyDictionary

from ragcrawler.frontier import Frontier

_others: WeakKeyDictionary[Any, Frontier] = WeakKeyDictionary()


def frontier_of(crawler: Any) -> Frontier:
    """The frontier that the crawler's spider owns; for a spider without one, a ledger and a throttle alone.

    Components call it once, when Scrapy makes them, and hand on the part that they need.
    """
    own = getattr(crawler.spider, "frontier", None)
    if isinstance(own, Frontier):
        return own
    if crawler not in _others:
        _others[crawler] = Frontier()
    return _others[crawler]
