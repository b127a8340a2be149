"""An endless website made by hash: hosts, links, depths, texts and answers; nothing of it is stored.

    uv run python benchmarks/frontier_web.py [--port 8000] [--sites 5] [--depth 5] [--degree 3] [--log FILE]

The hosts are the addresses 127.0.0.1, 127.0.0.2 and so on, with one port. Of 100 pages 3 are gone (404), 3
are broken (500), 3 come late, and 2 answer 429 once. Each request is a JSON line of the log: time, host,
path, status.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TextIO

LATE_SECONDS = 0.3
RETRY_AFTER_SECONDS = 1
WORDS = ("harbour", "lantern", "orchard", "granite", "velvet", "meadow", "copper", "thistle", "canvas")
REASONS = {200: "OK", 404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error"}


def number(*parts: object) -> int:
    """A hash of anything."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


@dataclass(frozen=True, slots=True)
class SyntheticPage:
    """One page: a host, its links away from the host's start, and its name."""

    site: int
    depth: int
    name: int

    @property
    def path(self) -> str:
        return f"/{self.depth}/{self.name:016x}" if self.depth else "/"

    @property
    def kind(self) -> str:
        """How it answers; the start of a host always does."""
        drawn = number("kind", self) % 100 if self.depth else 99
        bounds = ((3, "gone"), (6, "broken"), (9, "late"), (11, "busy once"))
        return next((kind for bound, kind in bounds if drawn < bound), "there")

    @property
    def is_there(self) -> bool:
        return self.kind not in {"gone", "broken"}


@dataclass(frozen=True, slots=True)
class SyntheticWeb:
    """The graph.

    Attributes:
        sites: hosts.
        depth: pages so far from the start lead nowhere.
        degree: links of a page on average; one of ten leads to another host.
    """

    sites: int = 5
    depth: int = 5
    degree: int = 3

    def links(self, page: SyntheticPage) -> Iterator[SyntheticPage]:
        """Where a page leads, the way back included."""
        if page.depth < self.depth:
            for index in range(1 + number("degree", page) % (2 * self.degree - 1)):
                drawn = number("link", page, index)
                site = drawn // 10 % self.sites if drawn % 10 == 0 else page.site
                yield SyntheticPage(site, page.depth + 1, drawn)
        yield SyntheticPage(page.site, 0, 0)

    def reachable(self) -> set[SyntheticPage]:
        """The pages that a crawl from all starts has to keep."""
        found = {SyntheticPage(site, 0, 0) for site in range(self.sites)}
        waiting = list(found)
        while waiting:
            for linked in self.links(waiting.pop()):
                if linked.is_there and linked not in found:
                    found.add(linked)
                    waiting.append(linked)
        return found

    def body(self, page: SyntheticPage, port: int) -> bytes:
        """Its HTML: a text of its own, and its links."""
        draw = random.Random(number("text", page))
        text = " ".join(f"{draw.choice(WORDS)}{draw.getrandbits(20):x}" for _ in range(60))
        links = "".join(f'<li><a href="{self.url(each, port)}">on</a></li>' for each in self.links(page))
        title = f"Page {page.site} {page.path}"
        return (
            f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{text}.</p></main>"
            f"<nav><ul>{links}</ul></nav></body></html>"
        ).encode()

    def url(self, page: SyntheticPage, port: int) -> str:
        return f"http://{host_of(page.site)}:{port}{page.path}"


def host_of(site: int) -> str:
    return f"127.0.0.{site + 1}"


@dataclass(slots=True)
class SyntheticServer:
    """Serves a web on loopback, and writes down each request.

    Attributes:
        web: to serve.
        log: gets a line a request.
        retry_after: that a busy page asks for.
    """

    web: SyntheticWeb
    log: TextIO
    retry_after: int = RETRY_AFTER_SECONDS
    port: int = 0
    _asked: set[SyntheticPage] = field(default_factory=set)

    async def start(self, port: int) -> asyncio.Server:
        """Listen on all hosts; port 0 takes a free one."""
        hosts = [host_of(site) for site in range(self.web.sites)]
        first = await asyncio.start_server(self._talk, hosts[0], port)
        self.port = first.sockets[0].getsockname()[1]
        for host in hosts[1:]:
            await asyncio.start_server(self._talk, host, self.port)
        return first

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host = writer.get_extra_info("sockname")[0]
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await self._answer(writer, host, head.split()[1].decode())
        except asyncio.IncompleteReadError as end:
            if end.partial:  # without, the client has just closed the connection
                print(f"a client of {host} hung up after {end.partial!r}", file=sys.stderr)
        except ConnectionError as error:  # killed perhaps: that is what this server is for
            print(f"a client of {host} hung up: {error}", file=sys.stderr)
        finally:
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, host: str, path: str) -> None:
        asked_at = time.time()
        page = page_at(host, path)
        status, body = self._response(page)
        self.log.write(json.dumps({"time": asked_at, "host": host, "path": path, "status": status}) + "\n")
        self.log.flush()
        if page is not None and page.kind == "late":
            await asyncio.sleep(LATE_SECONDS)
        extra = f"Retry-After: {self.retry_after}\r\n" if status == 429 else ""
        writer.write(
            f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Type: text/html; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\n{extra}\r\n".encode()
            + body
        )
        await writer.drain()

    def _response(self, page: SyntheticPage | None) -> tuple[int, bytes]:
        if page is None or page.kind == "gone":
            return 404, b"gone"
        if page.kind == "broken":
            return 500, b"broken"
        if page.kind == "busy once" and page not in self._asked:
            self._asked.add(page)
            return 429, b"busy"
        return 200, self.web.body(page, self.port)


def page_at(host: str, path: str) -> SyntheticPage | None:
    """The page of a path; None for robots.txt and the like."""
    site = int(host.rpartition(".")[2]) - 1
    if path == "/":
        return SyntheticPage(site, 0, 0)
    depth, _, name = path[1:].partition("/")
    return SyntheticPage(site, int(depth), int(name, 16)) if depth.isdecimal() and len(name) == 16 else None


def go_first() -> None:
    """Take the processor before others: a server that waits for its turn sees two requests together."""
    with suppress(PermissionError):  # without the right it is a server like any other
        os.nice(-15)


async def serve(options: argparse.Namespace, log: TextIO) -> None:
    web = SyntheticWeb(options.sites, options.depth, options.degree)
    server = SyntheticServer(web, log, options.retry_after)
    listening = await server.start(options.port)
    starts = ",".join(f"{host_of(site)}:{server.port}" for site in range(web.sites))
    print(json.dumps({"port": server.port, "domains": starts}), flush=True)
    await listening.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--sites", type=int, default=5)
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--degree", type=int, default=3)
    parser.add_argument("--retry-after", type=int, default=RETRY_AFTER_SECONDS)
    parser.add_argument("--log", default="/dev/null")
    options = parser.parse_args()
    go_first()
    with Path(options.log).open("a", encoding="utf-8") as log:
        asyncio.run(serve(options, log))


if __name__ == "__main__":
    main()
