"""A site and HTTP proxies on loopback, and a real crawl in a process of its own."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.warm_python import Python, completed

_PAGES = {"/": 200, "/missing": 404, "/forbidden": 403, "/broken": 500} | {
    f"/{number}": 200 for number in range(9)
}

_CRAWL = """
import json, sys, warnings
from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import ScrapyDeprecationWarning

warnings.simplefilter("error", ScrapyDeprecationWarning)
urls, settings = json.load(sys.stdin)
seen = []

class Seen(Spider):
    name = "seen"

    async def start(self):
        for url in urls:
            yield Request(url, self.parse, errback=self.lost, dont_filter=True)

    def parse(self, response):
        proxy = response.meta.get("proxy")
        seen.append({"status": response.status, "slot": response.meta["download_slot"], "proxy": proxy})

    def lost(self, failure):
        response = getattr(failure.value, "response", None)
        seen.append({"status": response.status} if response else {"error": type(failure.value).__name__})

process = AsyncCrawlerProcess(settings)
crawler = process.create_crawler(Seen)
process.crawl(crawler)
process.start()
print(json.dumps({"seen": seen, "stats": crawler.stats.get_stats()}, default=str))
"""

_SETTINGS: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {
        "ragcrawler.middlewares.proxies.middleware.RotatingProxyMiddleware": 610,
        "ragcrawler.middlewares.proxies.ban_detection.BanDetectionMiddleware": 620,
    },
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "RETRY_TIMES": 0,
}


@dataclass
class Crawled:
    """The responses that the spider saw, the crawl's stats, and its whole log."""

    seen: list[dict[str, Any]]
    stats: dict[str, Any]
    log: str


@dataclass
class Proxy:
    """A forward proxy; `requests` are the `Proxy-Authorization` headers it got, "" where there was none."""

    server: ThreadingHTTPServer
    requests: list[str] = field(default_factory=list)

    @property
    def endpoint(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name in the base
        pass

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Site(_Quiet):
    def do_GET(self) -> None:
        self.answer(_PAGES[self.path], b"<p>A page.</p>")


def _forwarder(proxy: Proxy, status: int | None) -> type[BaseHTTPRequestHandler]:
    class Forwarder(_Quiet):
        def do_GET(self) -> None:
            proxy.requests.append(self.headers.get("Proxy-Authorization", ""))
            if status is not None:
                self.answer(status, b"no")
                return
            parts = urlsplit(self.path)
            connection = http.client.HTTPConnection("127.0.0.1", parts.port or 80, timeout=10)
            connection.request("GET", parts.path)
            response = connection.getresponse()
            self.answer(response.status, response.read())
            connection.close()

    return Forwarder


@pytest.fixture
def serve() -> Iterator[Callable[[type[BaseHTTPRequestHandler]], ThreadingHTTPServer]]:
    """Starts servers on loopback that end with the test."""
    servers: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        servers.append((server, thread))
        return server

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def site(serve: Callable[[type[BaseHTTPRequestHandler]], ThreadingHTTPServer]) -> str:
    """The address of a site with a host name other than the proxies'."""
    return f"http://localhost:{serve(_Site).server_port}"


@pytest.fixture
def proxy(serve: Callable[[type[BaseHTTPRequestHandler]], ThreadingHTTPServer]) -> Callable[..., Proxy]:
    """Starts a proxy that forwards, or answers everything with `status`."""

    def start(status: int | None = None) -> Proxy:
        server = serve(_Quiet)
        started = Proxy(server)
        server.RequestHandlerClass = _forwarder(started, status)
        return started

    return start


@pytest.fixture
def dead_endpoint() -> str:
    """Where nobody listens."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Quiet) as server:
        return f"127.0.0.1:{server.server_port}"


@pytest.fixture
def crawl(python: Python) -> Callable[..., Crawled]:
    """Fetches the URLs with a spider that writes down what it got."""

    def run(urls: list[str], **settings: object) -> Crawled:
        finished = completed(python("-c", _CRAWL, text=json.dumps([urls, _SETTINGS | settings])))
        assert finished.returncode == 0, finished.stderr
        return Crawled(**json.loads(finished.stdout.splitlines()[-1]), log=finished.stderr)

    return run
