"""Workers that share a frontier in Redis: pages lost or fetched twice, gaps between requests, and the rate.

    uv run python benchmarks/frontier_workers.py [--pages 600] [--delay 0.5] [--away 30]

Starts its own redis-server and a site of three hosts on this machine, then one worker alone, three together,
and three of which one is killed, while Redis is killed once and comes back after `--away` seconds. Gaps and
rates are those of the site's log, which a busy machine writes late: `least_gap_as_sent` has the workers' own
times, on the clock that they share. A worker asks for one page at a time. One JSON line a run.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import urlsplit

from ragcrawler.frontier import UrlRecord
from ragcrawler.frontier.states.protocol import LeaseLostError, LeaseTerms, key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState

HOSTS = ("a.test", "b.test", "c.test")
LOOK_SECONDS = 0.005
WORKERS = 3


class Site(ThreadingHTTPServer):
    """Pages in a tree over all hosts; each links to two others. Keeps when each was asked for."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, pages: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = pages
        self.log: list[tuple[float, float, str, int]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class Handler(BaseHTTPRequestHandler):
    """Answers with the URLs that a page links to."""

    server: Site

    def do_GET(self) -> None:
        arrived = time.monotonic()
        number = int(self.path[1:])
        self.server.log.append((arrived, float(self.headers["Sent"]), self.headers["Host"], number))
        links = [url_of(each) for each in (2 * number + 1, 2 * number + 2) if each < self.server.pages]
        body = "\n".join(links).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """The log is in memory."""


def url_of(number: int) -> str:
    return f"http://{HOSTS[number % len(HOSTS)]}/{number}"


def record_of(url: str, parent: str) -> UrlRecord:
    return UrlRecord(key64(url), url, urlsplit(url).netloc, parent_url=parent)


def work(address: RedisAddress, port: int, delay: float, lease: float) -> None:
    """One worker, until the crawl is over for all."""
    state, done = RedisState(address), 0
    terms = LeaseTerms(lease, delay, most=1)
    while not state.workers.is_over():
        for record in state.poll(terms, ()).records:
            while (seconds := state.hosts.take_turn(record.site, delay)) > 0:
                time.sleep(seconds)
            fetch(state, record, port, delay)
            done += 1
        time.sleep(LOOK_SECONDS)
    while (turn_to := state.workers.end({"done": done, "is_last": False})) == "wait":
        time.sleep(LOOK_SECONDS)
    if turn_to == "end":
        state.workers.mark_ended()
        print(json.dumps({"ended": True}))


def fetch(state: RedisState, record: UrlRecord, port: int, delay: float) -> None:
    """Ask for a page, enter what it links to, and only then that it is done."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.connect()
    while (seconds := state.hosts.begin_turn(record.site, delay, delay)) > 0:
        time.sleep(seconds)
    headers = {"Host": record.site, "Sent": str(time.monotonic())}
    connection.request("GET", urlsplit(record.url).path, headers=headers)
    body = connection.getresponse().read().decode()
    connection.close()
    for url in body.split():
        state.urls.add(record_of(url, record.url))
    with suppress(LeaseLostError):
        state.urls.decide(replace(record, status="fetched"))


class Redis:
    """A server of our own, whose file outlives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    def start(self) -> None:
        program = shutil.which("redis-server") or sys.exit("redis-server is not installed")
        place = ["--port", str(self.port), "--dir", str(self.folder), "--bind", "127.0.0.1", "--save", ""]
        durable = ["--appendonly", "yes", "--appendfsync", "everysec"]
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--dir", str(self.folder), *place, *durable],
            stdout=subprocess.DEVNULL,
        )
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                time.sleep(LOOK_SECONDS)
            else:
                return

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def redis_server() -> Iterator[Redis]:
    with tempfile.TemporaryDirectory() as folder:
        server = Redis(Path(folder))
        try:
            yield server
        finally:
            server.kill()


def run(name: str, workers: int, options: argparse.Namespace) -> dict[str, Any]:
    """One crawl, with or without kills; what the site's log and Redis say of it."""
    site = Site(options.pages)
    with redis_server() as redis:
        address = RedisAddress(f"redis://127.0.0.1:{redis.port}/0", name, wait_seconds=120)
        state = RedisState(address)
        state.urls.add(record_of(url_of(0), ""))
        program = [sys.executable, __file__, "--worker", address.url, name, str(site.port)]
        values = ["--delay", str(options.delay), "--lease", str(options.lease)]
        started = [
            subprocess.Popen([*program, *values], stdout=subprocess.PIPE, text=True) for _ in range(workers)
        ]
        if name == "killed":
            kill_some(site, redis, started, options)
        ended_by = sum("ended" in (process.communicate()[0] or "") for process in started)
        counts = state.urls.counts()
        state.close()
    site.shutdown()
    site.server_close()
    return {
        "run": name,
        "done": counts.fetched,
        "open": counts.open,
        "ended_by": ended_by,
        **judged(site, options),
    }


def kill_some(
    site: Site, redis: Redis, workers: list[subprocess.Popen[str]], options: argparse.Namespace
) -> None:
    """A worker after a third of the pages, Redis after two thirds."""
    wait_for(site, options.pages // 3)
    workers[0].kill()
    wait_for(site, 2 * options.pages // 3)
    redis.kill()
    time.sleep(options.away)
    redis.start()


def wait_for(site: Site, requests: int) -> None:
    while len(site.log) < requests:
        time.sleep(LOOK_SECONDS)


def judged(site: Site, options: argparse.Namespace) -> dict[str, Any]:
    asked = Counter(number for *_, number in site.log)
    arrived, sent = ([(entry[which], entry[2]) for entry in site.log] for which in (0, 1))
    return {
        "pages": len(asked),
        "fetched_twice": sum(asked.values()) - len(asked),
        "least_gap_by_delay": round(min(gaps(arrived)) / options.delay, 3),
        "least_gap_as_sent": round(min(gaps(sent)) / options.delay, 3),
        "requests_a_second_and_host": round(1 / fmean(gaps(arrived)), 3),
    }


def gaps(times: Sequence[tuple[float, str]]) -> list[float]:
    """Between two requests to one host."""
    by_host = [sorted(time for time, each in times if each == host) for host in HOSTS]
    return [later - sooner for each in by_host for sooner, later in pairwise(each)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--lease", type=float, default=60.0, help="seconds")
    parser.add_argument("--away", type=float, default=30.0, help="seconds without Redis")
    parser.add_argument("--only", choices=["one", "three", "killed"])
    parser.add_argument("--worker", nargs=3, metavar=("URL", "CRAWL", "PORT"), help="used by itself")
    options = parser.parse_args()
    if options.worker:
        url, crawl, port = options.worker
        address = RedisAddress(url, crawl, wait_seconds=120, alive_seconds=options.lease)
        work(address, int(port), options.delay, options.lease)
        return
    for name, workers in (("one", 1), ("three", WORKERS), ("killed", WORKERS)):
        if options.only in (None, name):
            print(json.dumps(run(name, workers, options)), flush=True)


if __name__ == "__main__":
    main()
