"""The frontier's Redis state as it grows: adds, leases and ends a CPU second of the server, bytes a URL.

    uv run python benchmarks/frontier_redis.py [--urls 200000]

Starts its own redis-server. Pages of 50 links each, over 5,000 hosts of very different size, as in
frontier_growth.py; then a tenth of them is leased and ended as fetched.
"""

import argparse
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace

import redis

from ragcrawler.frontier import UrlRecord
from ragcrawler.frontier.states.protocol import key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState

HOSTS = 5_000
LINKS_OF_A_PAGE = 50
LEASED_AT_ONCE = 50


def records(count: int) -> Iterator[UrlRecord]:
    """URLs with paths of 20 to 30 characters; the links of a page have it as their parent."""
    draw = random.Random(20)
    host = parent = ""
    for number in range(count):
        if number % LINKS_OF_A_PAGE == 0:
            host = f"www.site{min(int(draw.paretovariate(0.7)), HOSTS)}.example"
            parent = f"https://{host}/docs/{draw.getrandbits(32):08x}"
        url = f"https://{host}/docs/{draw.getrandbits(32):08x}/page-{number}"
        yield UrlRecord(key64(url), url, host, depth=3, priority=-3, parent_url=parent)


class Meter:
    """The CPU time that the server and this process have used since the last look."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self.look()

    def look(self) -> tuple[float, float, int]:
        """CPU seconds of the server and of this process, and the server's memory in bytes."""
        cpu = self._client.info("cpu")
        server, own = cpu["used_cpu_user"] + cpu["used_cpu_sys"], time.process_time()
        memory = int(self._client.info("memory")["used_memory"])
        before = getattr(self, "_last", (server, own, memory))
        self._last = (server, own, memory)
        return server - before[0], own - before[1], memory - before[2]


def measure(client: redis.Redis, state: RedisState, urls: int) -> None:
    meter = Meter(client)
    for record in records(urls):
        state.urls.add(record)
    server, own, memory = meter.look()
    print(f"bytes a URL: {memory / urls:.0f}")
    print(f"adds a CPU second: server {urls / server:,.0f}, worker {urls / own:,.0f}")
    ended = 0
    for site in state.urls.sites():
        while ended < urls // 10 and (leased := state.urls.lease(0.0, 60.0, LEASED_AT_ONCE, [site])):
            for record in leased:
                state.urls.decide(replace(record, status="fetched"))
            ended += len(leased)
    server, own, _ = meter.look()
    print(f"leases and ends a CPU second: server {ended / server:,.0f}, worker {ended / own:,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--urls", type=int, default=200_000)
    options = parser.parse_args()
    program = shutil.which("redis-server") or sys.exit("redis-server is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        place = ["--port", str(port), "--bind", "127.0.0.1", "--dir", folder]
        process = subprocess.Popen(
            [program, *place, "--save", "", "--appendonly", "yes"], stdout=subprocess.DEVNULL
        )
        try:
            client = redis.Redis(port=port)
            while True:
                try:
                    client.ping()
                    break
                except redis.ConnectionError:
                    time.sleep(0.05)
            state = RedisState(RedisAddress(f"redis://127.0.0.1:{port}/0", "growth"))
            measure(client, state, options.urls)
            state.close()
            client.close()
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main()
