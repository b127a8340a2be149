"""A crawl and a search with Cohere's interface, whose limits are enforced (specification 002)."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ragcrawler.bootstrap import open_retriever

KEY = "co-very-secret"
MINUTE, MOST_TEXTS, DIMENSIONS = 60.0, 96, 1024


class Clock:
    """Time that passes only when somebody waits for it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float, real_sleep: Callable[..., Any] = asyncio.sleep) -> None:
        self.now += seconds
        await real_sleep(0)


class CohereDouble(ThreadingHTTPServer):
    """Takes 96 texts a call and so many calls a minute, by the clock of the test; some calls go wrong.

    Args:
        clock: of the test.
        a_minute: calls that it takes.
        faults: "error", "hang" or "cut" by the number of the call.
    """

    daemon_threads = True

    def __init__(self, clock: Clock, a_minute: int, faults: dict[int, str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.clock, self.a_minute, self.faults = clock, a_minute, faults
        self.times: list[float] = []
        self.refused = 0
        self.bodies: list[dict[str, Any]] = []
        self.keys: set[str | None] = set()
        self.ended = threading.Event()

    def answer(self, body: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        window = [at for at in self.times if at > self.clock.now - MINUTE]
        if len(body["texts"]) > MOST_TEXTS:
            return 400, {}, b'{"message": "too many texts"}'
        if len(window) >= self.a_minute:
            self.refused += 1
            return 429, {"Retry-After": str(int(window[0] + MINUTE - self.clock.now) + 1)}, b"{}"
        self.times.append(self.clock.now)
        fault = self.faults.get(len(self.times))
        if fault == "error":
            return 500, {}, b"{}"
        if fault == "hang":
            self.ended.wait(10)
        self.bodies.append(body)
        rows = [[float(len(text)), *[0.5] * (DIMENSIONS - 1)] for text in body["texts"]]
        value = {"embeddings": {"float": rows}, "meta": {"billed_units": {"input_tokens": len(rows)}}}
        content = json.dumps(value).encode()
        return 200, {}, content[: len(content) // 2] if fault == "cut" else content


class _Handler(BaseHTTPRequestHandler):
    server: CohereDouble

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.keys.add(self.headers.get("Authorization"))
        status, headers, content = self.server.answer(body)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def cohere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., CohereDouble]]:
    clock = Clock()
    monkeypatch.setattr("ragcrawler.embedding.remote.client._clock", clock)
    monkeypatch.setattr("ragcrawler.embedding.remote.client._sleep", clock.sleep)
    started: list[tuple[CohereDouble, threading.Thread]] = []

    def start(a_minute: int, faults: dict[int, str]) -> CohereDouble:
        double = CohereDouble(clock, a_minute, faults)
        thread = threading.Thread(target=double.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        started.append((double, thread))
        monkeypatch.setattr(
            "ragcrawler.embedding.remote.cohere.CohereDialect.url",
            f"http://127.0.0.1:{double.server_port}/v2",
        )
        return double

    yield start
    for double, thread in started:
        double.ended.set()
        double.shutdown()
        thread.join()
        double.server_close()


SETTINGS = {
    "EMBEDDING_PROVIDER": "cohere",
    "EMBEDDING_MODEL": "auto",
    "COHERE_API_KEY": KEY,
    "EMBEDDING_REQUESTS_AT_ONCE": 1,  # or a call could arrive in another minute of this clock than it left in
    "EMBEDDING_TIMEOUT_SECONDS": 1.0,
}


def serve_texts(site: Any, chapters: int) -> None:
    """A page with so many sections that each make a chunk."""
    words = " ".join(f"word{number}" for number in range(60))
    body = "".join(f"<h2>Chapter {number}</h2><p>About {number}. {words}</p>" for number in range(chapters))
    site.answers["/"] = (200, {}, f"<html><body><main><h1>Book</h1>{body}</main></body></html>".encode())


def test_an_ingest_and_a_search_keep_cohere_s_limits_and_survive_its_faults(
    site: Any, crawl: Callable[..., Any], cohere: Callable[..., CohereDouble], settings: dict[str, Any]
) -> None:
    serve_texts(site, 130)
    double = cohere(100, {5: "error", 9: "hang", 13: "cut"})
    run = crawl(domains=site.url, **SETTINGS, EMBEDDING_REQUEST_TEXTS=1)
    assert run.report["exit_code"] == 0
    assert run.report["models"]["dense"] == "cohere:embed-english-v3.0"
    assert run.report["models"]["dense_dimensions"] == DIMENSIONS
    assert run.report["chunks"]["points"] >= 100
    assert double.refused == 0
    assert len(double.times) == run.report["chunks"]["points"] + 1 + 3  # and the probe, and what went wrong
    assert double.times[99] - double.times[0] < MINUTE <= double.times[100] - double.times[0]
    assert {body["input_type"] for body in double.bodies} == {"search_document"}
    assert double.keys == {f"Bearer {KEY}"}
    double.clock.now += MINUTE
    with open_retriever(**settings | SETTINGS) as retriever:
        hits = retriever.search("Chapter 7", 3, mode="dense")
    assert len(hits) == 3
    assert double.bodies[-1]["input_type"] == "search_query"


def test_a_slower_service_is_obeyed_by_what_it_says(
    site: Any, crawl: Callable[..., Any], cohere: Callable[..., CohereDouble]
) -> None:
    serve_texts(site, 60)
    double = cohere(7, {})
    run = crawl(domains=site.url, **SETTINGS, EMBEDDING_REQUEST_TEXTS=4)
    assert run.report["exit_code"] == 0
    assert run.report["chunks"]["points"] == run.report["chunks"]["made"]
    assert double.refused >= 1
    assert all(len(body["texts"]) <= 4 for body in double.bodies)
