"""Serves the web that is made for researches, and remembers what was asked for.

uv run python benchmarks/research_server.py [--port 8000] [--pages 2000] [--rows 300]
"""

import argparse
import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from html import escape

from research_web import BUSY_HOST, GOAL, HOSTS, RETRY_AFTER_SECONDS, TRAP_HOST, ResearchWeb, WebPage


def address(host: int) -> str:
    return f"127.0.1.{host + 1}"


@dataclass
class WebServer:
    """Serves a web, and remembers what was asked for."""

    web: ResearchWeb
    fetched: list[str] = field(default_factory=list)
    _busy: set[str] = field(default_factory=set)
    _servers: list[asyncio.Server] = field(default_factory=list)
    port: int = 0

    async def start(self, port: int = 0) -> None:
        for host in range(HOSTS):
            server = await asyncio.start_server(self._talk, address(host), port)
            port = self.port = server.sockets[0].getsockname()[1]
            self._servers.append(server)

    def close(self) -> None:
        for server in self._servers:
            server.close()

    def url(self, page: WebPage) -> str:
        return f"http://{address(page.host)}:{self.port}{page.path}"

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A client that has what it wanted hangs up.
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError), contextlib.closing(writer):
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode("latin-1").split("\r\n")
                host = next(line.split(":")[1].strip() for line in lines if line.lower().startswith("host:"))
                writer.write(self._answer(host, lines[0].split()[1]))
                await writer.drain()

    def _answer(self, host_name: str, path: str) -> bytes:
        host = int(host_name.rsplit(".", 1)[1]) - 1
        url = f"http://{host_name}:{self.port}{path}"
        page = self.web.by_address.get((host, path))
        if page is None and host == TRAP_HOST and path.startswith("/calendar/"):
            day = int(path.rsplit("/", 1)[1]) + 1
            page = WebPage(host, path, f"Calendar, day {day}", ["Nothing happens on this day."])
            page.links = [("The next day", WebPage(host, f"/calendar/{day}", "", []))]
        if page is None:
            return _response(404, "text/plain", b"there is nothing here")
        if host == BUSY_HOST and url not in self._busy:
            self._busy.add(url)
            return _response(429, "text/plain", b"later", f"Retry-After: {RETRY_AFTER_SECONDS}\r\n")
        self.fetched.append(url)
        return _response(200, "text/html; charset=utf-8", self.html(page).encode())

    def html(self, page: WebPage) -> str:
        paragraphs = "".join(f"<p>{escape(each)}</p>" for each in page.sentences)
        links = "".join(f'<li><a href="{self.url(to)}">{escape(label)}</a></li>' for label, to in page.links)
        if page.host == TRAP_HOST:
            links += '<li><a href="/calendar/1">Calendar of events</a></li>'
        return (
            f"<!doctype html><html lang=en><title>{escape(page.title)}</title><main><h1>{escape(page.title)}"
            f"</h1>{paragraphs}<ul>{links}</ul></main></html>"
        )


def _response(status: int, content_type: str, body: bytes, headers: str = "") -> bytes:
    return (
        f"HTTP/1.1 {status} x\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    ).encode() + body


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--rows", type=int, default=300)
    args = parser.parse_args()
    server = WebServer(ResearchWeb(args.pages, args.rows))
    await server.start(args.port)
    print(json.dumps({"start": server.url(server.web.start), "goal": GOAL}))
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
