"""The cost of a page in the scheduler, and whether a big host keeps others waiting.

    uv run python benchmarks/frontier_scheduler.py [--pages 20000] [--links 50]

The first part gives pages with links to a frontier on SQLite, as a crawl does: lease, decision, links, end.
Beside it stands Scrapy's memory queue with the same requests, whose URLs nobody judges.

The second part is a simulation with a clock of its own: one host has 90 % of the URLs, 99 others have the
rest; each may be asked once in 0.1 s, and a download takes as long. How often is a slot idle while another
host is due?
"""

import argparse
import random
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from scrapy import Request
from scrapy.squeues import FifoMemoryQueue

from ragcrawler.frontier import FrontierState, Target, UrlRecord
from ragcrawler.frontier.states.protocol import key64
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.target_queue import TargetQueue
from ragcrawler.urls.identity import url_key

HOSTS = 100
SLOTS = 32
DELAY_SECONDS = 0.1
MOST = 0.9


def host_of(number: int) -> str:
    return f"www.site{number}.example"


@lru_cache(maxsize=8192)
def key_of(url: str) -> int:
    return key64(url_key(url))


def links(page: int, count: int, draw: random.Random, parent_url: str) -> list[UrlRecord]:
    """Half of them are known already; they lead to all hosts."""
    records = []
    for index in range(count):
        name = draw.randrange(max(1, page * count)) if index % 2 else page * count + index
        host = host_of(name % HOSTS)
        url = f"https://{host}/docs/page-{name}"
        records.append(UrlRecord(key_of(url), url, host, depth=1, parent_url=parent_url))
    return records


def frontier_milliseconds(state: FrontierState, pages: int, count: int) -> float:
    """Of CPU time a page: its lease, and its links with its end."""
    queue, draw, spent = TargetQueue(state, key_of), random.Random(1), 0.0
    queue_first(state, queue)
    for page in range(pages):
        began = time.process_time()
        leased = queue.next(0.0, lambda _: True)
        assert leased is not None
        spent += time.process_time() - began
        found = links(page, count, draw, leased.target.url)
        began = time.process_time()
        with state.transaction():
            state.urls.expect([record.key for record in found])
            for record in found:
                if state.urls.add(record):
                    queue.put(Target(record.url, 1, record.parent_url))
            state.urls.decide(UrlRecord(key_of(leased.target.url), leased.target.url, status="fetched"))
        spent += time.process_time() - began
    return 1000 * spent / pages


def queue_first(state: FrontierState, queue: TargetQueue) -> None:
    url = f"https://{host_of(0)}/"
    state.urls.add(UrlRecord(key_of(url), url, host_of(0)))
    queue.put(Target(url))


def scrapy_milliseconds(pages: int, count: int) -> float:
    """The same in Scrapy: a set of what was seen, and a queue of requests."""
    queue, draw, spent = FifoMemoryQueue(), random.Random(1), 0.0
    seen: set[int] = set()
    for page in range(pages):
        found = links(page, count, draw, "")
        began = time.process_time()
        for record in found:
            if record.key not in seen:
                seen.add(record.key)
                queue.push(Request(record.url, dont_filter=True))
        queue.pop()
        spent += time.process_time() - began
    return 1000 * spent / pages


def idle_share(state: FrontierState, urls: int) -> float:
    """Of the time of all slots, while a host could have been asked that has URLs left."""
    queue, draw = TargetQueue(state, key_of), random.Random(2)
    with state.transaction():
        for number in range(urls):
            host = host_of(0 if draw.random() < MOST else 1 + draw.randrange(HOSTS - 1))
            url = f"https://{host}/page-{number}"
            state.urls.add(UrlRecord(key_of(url), url, host))
            queue.put(Target(url))
    left = dict.fromkeys(state.urls.sites(), True)
    next_at: dict[str, float] = {}
    now, busy, idle, possible = 0.0, 0, 0, 0
    ends: list[float] = []
    while len(queue):
        ends = [end for end in ends if end > now]
        while len(ends) < SLOTS:
            leased = queue.next(now, lambda site, now=now: next_at.get(site, 0.0) <= now)
            if leased is None:
                break
            next_at[leased.target.url.split("/")[2]] = now + DELAY_SECONDS
            ends.append(now + DELAY_SECONDS)
            busy += 1
        left = dict.fromkeys(state.urls.sites(), True)
        due = sum(next_at.get(site, 0.0) <= now for site in left)
        idle += min(due, SLOTS - len(ends))
        possible += SLOTS
        now += DELAY_SECONDS / 10
    return idle / possible


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--links", type=int, default=50)
    parser.add_argument("--urls", type=int, default=3_000, help="of the simulation")
    options = parser.parse_args()
    plain = scrapy_milliseconds(options.pages, options.links)
    with tempfile.TemporaryDirectory() as folder:
        state = SqliteState(Path(folder) / "state.sqlite")
        ours = frontier_milliseconds(state, options.pages, options.links)
        state.close()
    few = 2
    with tempfile.TemporaryDirectory() as folder:
        state = SqliteState(Path(folder) / "state.sqlite")
        typical = frontier_milliseconds(state, options.pages, few)
        state.close()
    memory = frontier_milliseconds(SqliteState(), options.pages, options.links)
    print(f"CPU milliseconds of a page with {options.links} links, half of them known:")
    print(
        f"  Scrapy's memory queue {plain:.3f} ms, frontier in memory {memory:.3f} ms, on SQLite {ours:.3f} ms"
    )
    print(f"  on SQLite above Scrapy's queue: {ours - plain:.3f} ms")
    above = typical - scrapy_milliseconds(options.pages, few)
    print(f"  the same for a page with {few} links, of which one is new: {above:.3f} ms")
    share = idle_share(SqliteState(), options.urls)
    print(f"slots idle while another host is due: {100 * share:.2f} % of the time")


if __name__ == "__main__":
    main()
