"""SearXNG and the official interfaces, against doubles on loopback with answers of the documented form."""

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from ragcrawler.search_engines.answer import EngineAnswer, SearchState
from ragcrawler.search_engines.engine import EngineRequest, FetchError, SearchEngine
from ragcrawler.search_engines.http_fetcher import HttpFetcher
from ragcrawler.search_engines.query import SearchQuery
from ragcrawler.search_engines.robots import EngineRobots
from ragcrawler.search_engines.services.brave_api import BraveApi
from ragcrawler.search_engines.services.google_api import GoogleApi
from ragcrawler.search_engines.services.searxng import SearXng

KEY = "Canary7Key"


@dataclass
class Double:
    """Answers every request alike, and keeps what it was asked."""

    url: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    asked: list[tuple[str, dict[str, list[str]], dict[str, str]]] = field(default_factory=list)
    hold: threading.Event | None = None

    def answers(self, value: Any, status: int = 200, **headers: str) -> None:
        self.status, self.body = status, value if isinstance(value, bytes) else json.dumps(value).encode()
        self.headers = {name.replace("_", "-"): text for name, text in headers.items()}


@pytest.fixture
def double() -> Iterator[Double]:
    state = Double()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            state.asked.append((parts.path, parse_qs(parts.query), headers))
            if state.hold is not None:
                state.hold.wait(30)
            self.send_response(state.status)
            for name, value in state.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(state.body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


FETCHER = HttpFetcher(10.0, "ragcrawler/test")


def ask(engine: SearchEngine, query: SearchQuery, page: int = 1) -> EngineAnswer:
    return engine.read(asyncio.run(FETCHER.fetch(engine.request(query, page))))


def urls(answer: EngineAnswer) -> list[str]:
    return [result.url for result in answer.results]


QUERY = SearchQuery("prime pump", site="a.example", language="pt-BR", since="month")
SEARXNG = {
    "query": "prime pump",
    "results": [
        {"url": "https://a.example/1", "title": "One", "content": "The <b>first</b>", "score": 4.0},
        {"url": "https://a.example/2", "title": "Two", "content": None, "score": "high"},
        {"title": "no address"},
        "no result",
    ],
    "unresponsive_engines": [],
}


def test_searxng_is_asked_in_its_own_terms(double: Double) -> None:
    double.answers(SEARXNG)
    answer = ask(SearXng(double.url, ("brave", "mojeek")), QUERY, 2)
    path, asked, _ = double.asked[0]
    assert path == "/search"
    assert asked == {
        "q": ["prime pump site:a.example"],
        "format": ["json"],
        "pageno": ["2"],
        "language": ["pt-BR"],
        "time_range": ["month"],
        "engines": ["brave,mojeek"],
    }
    assert answer.state is SearchState.OK
    assert [(each.url, each.title, each.snippet, each.score) for each in answer.results] == [
        ("https://a.example/1", "One", "The first", 4.0),
        ("https://a.example/2", "Two", "", None),
    ]


def test_searxng_without_json_says_how_to_switch_it_on_and_is_not_left_alone(double: Double) -> None:
    double.answers(b"<h1>Forbidden</h1>", 403)
    answer = ask(SearXng(double.url), QUERY)
    assert (answer.state, answer.suspends) == (SearchState.BLOCKED, False)
    assert "formats: [html, json]" in answer.message


SILENT = [
    (["brave", "Suspended: too many requests"], SearchState.SUSPENDED),
    (["google", "CAPTCHA"], SearchState.CAPTCHA),
    (["bing", "timeout"], SearchState.TIMEOUT),
    (["qwant", "access denied"], SearchState.BLOCKED),
    (["mojeek", "HTTP error"], SearchState.FAILED),
    (["startpage", "parsing error"], SearchState.LAYOUT_CHANGED),
]


def test_engines_behind_searxng_that_did_not_answer_are_named(double: Double) -> None:
    double.answers({**SEARXNG, "unresponsive_engines": [pair for pair, _ in SILENT] + ["odd", [1, 2]]})
    answer = ask(SearXng(double.url), QUERY)
    assert answer.state is SearchState.OK
    assert [(each.name, each.state) for each in answer.unresponsive] == [
        (pair[0], state) for pair, state in SILENT
    ]


def test_no_results_of_engines_that_did_not_answer_are_no_empty_result(double: Double) -> None:
    double.answers({"results": [], "unresponsive_engines": [["google", "CAPTCHA"]]})
    answer = ask(SearXng(double.url), QUERY)
    assert (answer.state, answer.suspends) == (SearchState.CAPTCHA, False)
    assert "google (CAPTCHA)" in answer.message
    double.answers({"results": [], "unresponsive_engines": []})
    assert ask(SearXng(double.url), QUERY).state is SearchState.EMPTY


def test_brave_is_asked_in_its_own_terms(double: Double) -> None:
    found = {
        "results": [
            {"url": "https://a.example/1", "title": "One", "description": "The <strong>first</strong>"}
        ]
    }
    double.answers({"type": "search", "query": {"more_results_available": True}, "web": found})
    answer = ask(BraveApi(double.url, KEY), QUERY, 3)
    path, asked, headers = double.asked[0]
    assert path == "/res/v1/web/search"
    assert asked == {
        "q": ["prime pump site:a.example"],
        "count": ["20"],
        "offset": ["2"],
        "search_lang": ["pt"],
        "freshness": ["pm"],
    }
    assert headers["x-subscription-token"] == KEY
    assert (answer.state, urls(answer), answer.is_last) == (SearchState.OK, ["https://a.example/1"], False)
    assert answer.results[0].snippet == "The first"


def test_brave_without_web_results_is_empty(double: Double) -> None:
    double.answers({"type": "search", "query": {"more_results_available": False}})
    answer = ask(BraveApi(double.url, KEY), QUERY)
    assert (answer.state, answer.is_last) == (SearchState.EMPTY, True)


def test_google_is_asked_in_its_own_terms(double: Double) -> None:
    double.answers(
        {
            "kind": "customsearch#search",
            "items": [{"link": "https://a.example/1", "title": "One", "snippet": "The first"}],
            "queries": {"nextPage": [{"startIndex": 11}]},
        }
    )
    answer = ask(GoogleApi(double.url, KEY, "engine1"), QUERY, 2)
    path, asked, headers = double.asked[0]
    assert path == "/customsearch/v1"
    assert asked == {
        "q": ["prime pump site:a.example"],
        "cx": ["engine1"],
        "num": ["10"],
        "start": ["11"],
        "lr": ["lang_pt"],
        "dateRestrict": ["m1"],
    }
    assert headers["x-goog-api-key"] == KEY
    assert (answer.state, urls(answer), answer.is_last) == (SearchState.OK, ["https://a.example/1"], False)


ENGINES = {
    "searxng": SearXng,
    "brave_api": lambda url: BraveApi(url, KEY),
    "google_api": lambda url: GoogleApi(url, KEY, "engine1"),
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b"{}", b"[" * 100_000, b'{"results": 7}', b"\xff\x00"]
)
def test_an_answer_of_another_form_is_a_failure(double: Double, name: str, body: bytes) -> None:
    double.answers(body)
    assert ask(ENGINES[name](double.url), QUERY).state is SearchState.FAILED


@pytest.mark.parametrize("name", ENGINES)
def test_a_service_that_is_asked_too_often_is_left_alone_for_as_long_as_it_says(
    double: Double, name: str
) -> None:
    double.answers({"error": {"detail": "slow down", "message": "quota"}}, 429, Retry_After="900")
    answer = ask(ENGINES[name](double.url), QUERY)
    assert (answer.state, answer.pause_seconds, answer.suspends) == (SearchState.BLOCKED, 900.0, True)


@pytest.mark.parametrize("name", ["brave_api", "google_api"])
@pytest.mark.parametrize("status", [400, 401, 403, 422, 500])
def test_a_key_that_is_refused_is_not_shown(double: Double, name: str, status: int) -> None:
    said = f"the key {KEY} is not valid"
    double.answers({"error": {"detail": said, "message": said}}, status)
    engine = ENGINES[name](double.url)
    answer = ask(engine, QUERY)
    assert (answer.state, answer.message) == (SearchState.FAILED, f"HTTP {status}: the key *** is not valid")
    assert KEY not in repr(engine) + repr(engine.request(QUERY, 1)) + engine.request(QUERY, 1).url


def test_nobody_there_is_a_failure_and_silence_a_time_out(double: Double) -> None:
    with pytest.raises(FetchError) as refused:
        asyncio.run(FETCHER.fetch(EngineRequest("x", "http://127.0.0.1:1/")))
    assert refused.value.state is SearchState.FAILED
    double.hold = threading.Event()
    with pytest.raises(FetchError) as silent:
        asyncio.run(HttpFetcher(0.2).fetch(EngineRequest("x", double.url)))
    double.hold.set()
    assert silent.value.state is SearchState.TIMEOUT


def test_an_answer_that_is_too_large_or_compressed_is_not_read(double: Double) -> None:
    for body, headers in ((b"x" * (8 * 2**20 + 1), {}), (b"x", {"Content_Encoding": "gzip"})):
        double.answers(body, **headers)
        with pytest.raises(FetchError) as refused:
            asyncio.run(FETCHER.fetch(EngineRequest("x", double.url)))
        assert refused.value.state is SearchState.FAILED


def test_a_redirect_is_not_followed(double: Double) -> None:
    double.answers(b"", 302, Location="http://127.0.0.1:1/")
    assert ask(SearXng(double.url), QUERY).message == "HTTP 302"
    assert len(double.asked) == 1


@pytest.mark.parametrize(
    ("status", "body", "path", "refused"),
    [
        (200, b"User-agent: *\nDisallow: /search", "/search?q=a", True),
        (200, b"User-agent: *\nDisallow: /search", "/about", False),
        (200, b"User-agent: other\nDisallow: /", "/search", False),
        (404, b"", "/search", False),
        (429, b"", "/search", True),
        (503, b"", "/search", True),
    ],
)
def test_robots_txt_is_asked_once_and_obeyed(
    double: Double, status: int, body: bytes, path: str, refused: bool
) -> None:
    double.answers(body, status)

    async def twice() -> list[str]:
        robots = EngineRobots(FETCHER, "ragcrawler")
        return [await robots.refusal(double.url + path) for _ in range(2)]

    first, second = asyncio.run(twice())
    assert (bool(first), second, len(double.asked)) == (refused, first, 1)
    assert not refused or "SEARCH_ROBOTS_OBEY=False" in first
