"""What a shared crawl costs Redis: of a poll as hosts grow in number, and of a page.

    PYTHONPATH=. uv run python benchmarks/frontier_hosts.py [--hosts 1000 10000 100000] [--pages 2000]

Starts its own redis-server. The first part enters so many hosts with three URLs each and polls as a worker
does, which takes what it leases: one line for each number of hosts. The second part gives pages to a frontier
as a crawl does, through lease, turn, answer, links and end; a page has links to twenty that each page of its
host leads to, and to two others. Scripts, commands and microseconds are those that the server counts (INFO
commandstats).
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis

from ragcrawler.frontier import Frontier, FrontierOptions, Keep, ParsedResponse, Target, UrlRecord
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.protocol import LeaseTerms, key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState
from ragcrawler.items import Page
from ragcrawler.urls.links.page_links import PageLinks
from tests.frontier.redis_process import RedisProcess

SCRIPTS = ("cmdstat_evalsha", "cmdstat_eval")
URLS_OF_A_HOST = 3
POLLS = 200
HOSTS = 20
NAVIGATION = 20


class Meter:
    """What the server has done since the last look."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self.look()

    def look(self) -> dict[str, float]:
        stats = self._client.info("commandstats")
        # A script's time has that of its commands in it, which are counted by themselves too.
        scripts = sum(stats[name]["calls"] for name in SCRIPTS if name in stats)
        in_scripts = sum(stats[name]["usec"] for name in SCRIPTS if name in stats)
        alone = {name: each for name, each in stats.items() if name.endswith(("hget", "hmget", "hgetall"))}
        cpu = self._client.info("cpu")
        now = {
            "scripts": scripts,
            "commands": sum(each["calls"] for each in stats.values()) - scripts,
            "script_microseconds": in_scripts,
            "cpu_seconds": cpu["used_cpu_user"] + cpu["used_cpu_sys"],
            "reads": sum(each["calls"] for each in alone.values()),
        }
        before = getattr(self, "_last", now)
        self._last = now
        return {name: now[name] - before[name] for name in now}


def enter(state: RedisState, hosts: int) -> None:
    for number in range(hosts):
        site = f"host{number}.example"
        with state.transaction():
            for each in range(URLS_OF_A_HOST):
                url = f"https://{site}/{each}"
                state.urls.add(UrlRecord(key64(url), url, site))


def polls(client: redis.Redis, url: str, hosts: int) -> dict[str, Any]:
    """A worker that asks for pages of many hosts, each of which may be asked again in ten seconds."""
    state, terms = RedisState(RedisAddress(url, f"hosts{hosts}")), LeaseTerms(600.0, delay_seconds=10.0)
    enter(state, hosts)
    meter, leased, began = Meter(client), 0, time.perf_counter()
    for _ in range(POLLS):
        leased += len(state.poll(terms, ()).records)
    took = time.perf_counter() - began
    found = meter.look()
    state.close()
    return {
        "hosts": hosts,
        "leases_a_poll": leased / POLLS,
        "milliseconds_a_poll": round(1000 * took / POLLS, 2),
        "script_milliseconds_a_poll": round(found["script_microseconds"] / 1000 / POLLS, 3),
        "script_microseconds_a_lease": round(found["script_microseconds"] / max(1, leased), 1),
    }


def url_of(number: int) -> str:
    return f"https://host{number % HOSTS}.example/page/{number}"


def parsed(target: Target, pages: int) -> ParsedResponse:
    site, _, name = target.url.partition("/page/")
    number = int(name) if name.isdigit() else 0
    navigation = [f"{site}/navigation/{each}" for each in range(NAVIGATION)]
    below = [url_of(each) for each in (2 * number + 1, 2 * number + 2) if each < pages]
    page = Page(
        id=target.url,
        url=target.url,
        final_url=target.url,
        body=b"",
        content_type="text/html",
        status=200,
        fetched_at="",
    )
    return ParsedResponse(page, PageLinks((*navigation, *below)), text=number)


def a_page(frontier: Frontier, target: Target, pages: int) -> None:
    """What a crawl does for a page that is kept."""
    site = target.url.split("/")[2]
    throttle = frontier.throttle
    throttle.begin_request(site)
    throttle.take_turn(site, 0.001)
    with frontier.while_leased(target):
        throttle.begin_turn(site, 0.0001, 0.001)
    throttle.end_request(site)
    frontier.health.record_success(site)
    final = frontier.resolve_redirect(target, target.url)
    assert final is not None
    page = parsed(target, pages) if frontier.needs(final) else None
    frontier.needs_text(final)
    decision = frontier.effects.judge(target, final, page)
    if isinstance(decision, Keep):
        frontier.effects.keep(target.url, {"documents/new": 1, "chunk/chunks": 3})


def pages(client: redis.Redis, url: str, count: int) -> dict[str, Any]:
    state = RedisState(RedisAddress(url, "pages", recent_seconds=0.25))
    options = FrontierOptions(Scope.parse(",".join(f"host{each}.example" for each in range(HOSTS))))
    frontier = Frontier(options, state, clock=state.clock, leases=LeaseTerms(600.0, 0.0001))
    with frontier.effects.transaction():
        frontier.add_seeds([url_of(0)])
    for _ in targets(frontier, count // 10, count):  # by then each page knows most of its links
        pass
    meter = Meter(client)
    done = sum(1 for _ in targets(frontier, count, count))
    found = meter.look()
    frontier.state.close()
    return {
        "pages": done,
        **{f"{name}_a_page": round(found[name] / done, 2) for name in ("scripts", "commands", "reads")},
        "script_milliseconds_a_page": round(found["script_microseconds"] / 1000 / done, 3),
        "server_cpu_milliseconds_a_page": round(1000 * found["cpu_seconds"] / done, 3),
    }


def targets(frontier: Frontier, most: int, count: int) -> Iterator[Target]:
    done = 0
    while done < most and not frontier.queue.is_over(frontier.clock()):
        leased = frontier.queue.next(frontier.clock(), lambda _: True)
        if leased is None:
            continue
        a_page(frontier, leased.target, count)
        done += 1
        yield leased.target


@contextmanager
def server() -> Iterator[RedisProcess]:
    with tempfile.TemporaryDirectory() as folder:
        process = RedisProcess(Path(folder))
        process.start()
        try:
            yield process
        finally:
            process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hosts", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--pages", type=int, default=2_000)
    options = parser.parse_args()
    for hosts in options.hosts:
        with server() as process, redis.Redis(port=process.port) as client:
            print(json.dumps(polls(client, process.url, hosts)), flush=True)
    with server() as process, redis.Redis(port=process.port) as client:
        print(json.dumps(pages(client, process.url, options.pages)), flush=True)


if __name__ == "__main__":
    main()
