"""Real crawls of small loopback sites, without a reactor, in this process."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

# Imported before there are thousands of modules: it goes through all of them for each frame that calls it.
import scrapy.core.downloader.handlers.http11  # noqa: F401
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader

from ragcrawler.config.defaults import project_settings
from ragcrawler.conversion.isolation import fork_server
from tests.warm_process import WarmProcess
from tests.warm_python import worker_starter

Answer = tuple[int, dict[str, str], bytes]


class LoopbackSite:
    """A site made of a table: path to (status, headers, body); it remembers what was asked for, and when."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.answers: dict[str, Answer | Callable[[], Answer]] = {}
        self.requests: list[str] = []
        self.headers: list[Mapping[str, str]] = []
        self.times: list[float] = []  # of the requests, by a clock in seconds
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.headers.append(self.headers)
                site.times.append(time.monotonic())
                site.requests.append(self.path)
                answer = site.answers.get(self.path, (404, {}, b"not here"))
                status, headers, body = answer() if callable(answer) else answer
                self.send_response(status)
                for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Keep the test's output quiet."""

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.url = f"http://{host}:{self._server.server_address[1]}"

    def page(self, path: str, *links: str, text: str = "", status: int = 200, **headers: str) -> None:
        """Put a page there that links to others."""
        anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        words = text or f"This is what the page at {path} has to say about its own subject, at some length."
        body = (
            f"<html><head><title>Page {path}</title></head><body><nav><ul>{anchors}</ul></nav>"
            f'<main><h1 id="top">Page {path}</h1><p>{words}</p><p>{words[::-1]}</p></main></body></html>'
        )
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (status, named, body.encode())

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture(autouse=True)
def _workers_start_warm(warm_workers: WarmProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fork_server, "_popen", worker_starter(warm_workers.address))


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    served = LoopbackSite()
    yield served
    served.close()


@pytest.fixture
def other_site() -> Iterator[LoopbackSite]:
    """One of another host, with a download slot of its own."""
    served = LoopbackSite("127.0.0.2")
    yield served
    served.close()


@dataclass(frozen=True, slots=True)
class Crawled:
    """The results of a crawl."""

    report: dict[str, Any]
    stats: dict[str, Any]
    documents: list[dict[str, Any]]
    failures: list[dict[str, Any]]
    output: Path

    @property
    def skipped(self) -> dict[str, int]:
        """Pages left out, by reason."""
        return dict(self.report["pages"]["skipped"])

    @property
    def failed(self) -> dict[str, int]:
        """Pages lost, by reason."""
        return dict(self.report["pages"]["failed"])


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, Any]:
    """The project's settings, with models that need no file and no waiting between requests."""
    return {
        **project_settings(),
        "OUTPUT_DIR": str(tmp_path / "output"),
        "QDRANT_URL": "",
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "RETRY_ENABLED": False,
        "PROGRESS_ENABLED": False,
        "LOG_ENABLED": False,
        "TWISTED_REACTOR_ENABLED": False,
    }


@pytest.fixture
def crawl(crawl_with: Callable[..., Crawled]) -> Callable[..., Crawled]:
    """Crawl with the seeds spider; upper-case keywords are settings, the others arguments of the spider."""
    return partial(crawl_with, "seeds")


@pytest.fixture
def crawl_with(settings: dict[str, Any]) -> Callable[..., Crawled]:
    """Crawl with any spider, its name or its class."""

    def run(spider: str | type[Spider], **keywords: Any) -> Crawled:
        overrides = {name: value for name, value in keywords.items() if name.isupper()}
        arguments = {name: value for name, value in keywords.items() if not name.isupper()}
        asyncio.run(_crawl(spider, settings | overrides, arguments))
        return read_run(Path((settings | overrides)["OUTPUT_DIR"]))

    return run


async def _crawl(spider: str | type[Spider], settings: dict[str, Any], arguments: dict[str, str]) -> None:
    await Crawler(_spider_class(spider), Settings(settings)).crawl_async(**arguments)


@cache
def _spider_class(spider: str | type[Spider]) -> type[Spider]:
    if isinstance(spider, str):
        return get_spider_loader(Settings(project_settings())).load(spider)
    return spider


def read_run(output: Path) -> Crawled:
    """The files of the newest run."""
    folder = max((output / "runs").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return Crawled(
        report=report,
        stats=report["stats"],
        documents=_lines(folder / "documents.jsonl"),
        failures=_lines(folder / "failures.jsonl"),
        output=output,
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
