"""How many requests a second each of three domains gets, with the default settings and no pipelines.

    python benchmarks/crawl_rate.py [--pages 200] [--latency 0.02]

Three addresses of this machine serve a site each; one crawl takes them all at once, then again through a
proxy. Requests are counted where they arrive, in a process of its own. A gap is the time between two requests
to one domain; the shortest that the settings allow is DOWNLOAD_DELAY x (1 - DOWNLOAD_DELAY_JITTER).
"""

import argparse
import asyncio
import itertools
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from multiprocessing.connection import Connection
from pathlib import Path

from ragcrawler import settings

HOSTS = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
LEAST_GAP = settings.DOWNLOAD_DELAY * (1 - settings.DOWNLOAD_DELAY_JITTER)
SLACK = 0.002  # of two clocks' readings on a busy machine, seconds


class Site:
    """Answers for all hosts, as their server and as a proxy before them."""

    def __init__(self, pages: int, latency: float) -> None:
        links = "".join(f'<li><a href="/{number}">{number}</a>' for number in range(pages))
        self._page = f"<html><title>A page</title><ul>{links}</ul></html>".encode()
        self._pages = {f"/{number}" for number in range(pages)} | {"/"}
        self._latency = latency
        self.arrivals: dict[str, list[float]] = defaultdict(list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                arrived = time.monotonic()
                lines = head.decode("latin-1").split("\r\n")
                path = lines[0].split(" ")[1]
                host = next(line[6:] for line in lines if line.lower().startswith("host: ")).rpartition(":")[
                    0
                ]
                self.arrivals[host].append(arrived)
                await asyncio.sleep(self._latency)
                writer.write(self._answer("/" + path.split("/", 3)[3] if "://" in path else path))
        except asyncio.IncompleteReadError as end:
            if end.partial:  # without, the crawler has just closed the connection
                print(f"the crawler hung up after {end.partial!r}", file=sys.stderr)
        except ConnectionError as error:
            print(f"the crawler hung up: {error}", file=sys.stderr)
        finally:
            writer.close()

    def _answer(self, path: str) -> bytes:
        status, body = ("200 OK", self._page) if path in self._pages else ("404 Not Found", b"")
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


def serve(pages: int, latency: float, pipe: Connection) -> None:
    async def run() -> None:
        site = Site(pages, latency)
        first = await asyncio.start_server(site.talk, HOSTS[0], 0)
        port = first.sockets[0].getsockname()[1]
        for host in (*HOSTS[1:], "127.0.0.1"):
            await asyncio.start_server(site.talk, host, port)
        pipe.send(port)
        while True:
            await asyncio.to_thread(pipe.recv)
            pipe.send(dict(site.arrivals))
            site.arrivals.clear()

    asyncio.run(run())


def crawl(port: int, **environment: str) -> None:
    domains = ",".join(f"http://{host}:{port}" for host in HOSTS)
    with tempfile.TemporaryDirectory() as output:
        given = {"ITEM_PIPELINES": "{}", "OUTPUT_DIR": output, "LOG_LEVEL": "WARNING"}
        options = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
        command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={domains}", *options]
        folder = Path(__file__).parents[1]
        subprocess.run(command, check=True, cwd=folder, env={**os.environ, **environment})


def show(title: str, arrivals: dict[str, list[float]]) -> None:
    print(title)
    for host in HOSTS:
        times = arrivals[host]
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        rate = len(gaps) / (times[-1] - times[0])
        close = sum(gap < LEAST_GAP - SLACK for gap in gaps)
        print(
            f"  {host}  {len(times):4} requests  {rate:5.2f} a second  gaps {min(gaps) * 1000:5.1f} to "
            f"{max(gaps) * 1000:6.1f} ms, {close} shorter than {LEAST_GAP * 1000:.0f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=200, help="of each domain")
    parser.add_argument("--latency", type=float, default=0.02, help="seconds before each answer")
    options = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(options.pages, options.latency, theirs), daemon=True)
    server.start()
    port = ours.recv()
    print(f"DOWNLOAD_DELAY {settings.DOWNLOAD_DELAY} s, jitter {settings.DOWNLOAD_DELAY_JITTER}")
    for title, environment in {
        "directly": {},
        "through a proxy": {"ROTATING_PROXY_LIST": f"127.0.0.1:{port}"},
    }.items():
        crawl(port, **environment)
        ours.send("arrivals")
        show(title, ours.recv())
    server.terminate()


if __name__ == "__main__":
    main()
