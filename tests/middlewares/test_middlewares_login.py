"""A login reaches its own site and nothing else: no other site, no log, no file."""

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.settings import Settings

from ragcrawler.config.crawling.web_access import WebAccessConfig
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError
from ragcrawler.middlewares.login import LoginMiddleware
from ragcrawler.urls.logins import Logins
from tests.warm_python import Python, completed

PROJECT = Path(__file__).parents[2]
SECRET = "s3cret-of-the-site"
URL = "https://docs.example.org/x"


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.seen.append((self.path, self.headers["Authorization"], self.headers["Cookie"]))  # type: ignore[attr-defined]
        status, headers, body = self.server.pages.get(self.path, (404, {}, ""))  # type: ignore[attr-defined]
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "ETag": '"1"', **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def servers() -> Iterator[list[Any]]:
    started: list[Any] = [ThreadingHTTPServer(("127.0.0.1", 0), Site) for _ in range(2)]
    for server in started:
        server.seen = []
        server.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield started
    for server in started:
        server.shutdown()
        server.server_close()


def test_in_a_crawl_a_login_stays_with_its_site(python: Python, servers: list[Any], tmp_path: Path) -> None:
    mine, other = servers
    links = "".join(f'<a href="{link}">x</a>' for link in ("/page", "/away", "/broken", "/slow", other.url))
    mine.pages = {
        "/": (200, {"Set-Cookie": "own=1"}, f"<p>Members read this about the garden.</p>{links}"),
        "/page": (200, {}, "<p>Only members know how often the filter is cleaned.</p>"),
        "/away": (302, {"Location": f"{other.url}/target"}, ""),
        "/broken": (500, {}, "no"),
    }
    other.pages = {
        "/": (200, {}, f'<p>Another garden, open to everybody.</p><a href="{mine.url}/page">x</a>'),
        "/target": (302, {"Location": f"{mine.url}/back"}, ""),
    }
    settings = {
        "OUTPUT_DIR": str(tmp_path),
        "QDRANT_URL": "",
        "LOG_LEVEL": "DEBUG",
        "JAVASCRIPT": "never",
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "DOWNLOAD_DELAY": "0",
        "AUTOTHROTTLE_ENABLED": "False",
        "RETRY_BACKOFF_BASE_SECONDS": "0.01",
    }
    program = python(
        *("-m", "scrapy", "crawl", "seeds", "-a", f"domains={mine.url},{other.url}"),
        *(part for name, value in settings.items() for part in ("-s", f"{name}={value}")),
        environment=os.environ
        | {
            "CRAWL_HEADERS": json.dumps({mine.url: {"Authorization": f"Bearer {SECRET}"}}),
            "CRAWL_COOKIES": json.dumps({mine.url: f"session={SECRET}"}),
        },
    )
    ended = completed(program)
    assert ended.returncode == 4, ended.stderr
    assert {path for path, *_ in mine.seen} >= {"/robots.txt", "/", "/page", "/away", "/broken", "/back"}
    assert {tuple(login) for _, *login in mine.seen} == {(f"Bearer {SECRET}", f"session={SECRET}")}
    assert {path for path, *_ in other.seen} >= {"/robots.txt", "/", "/target"}
    assert {tuple(login) for _, *login in other.seen} == {(None, None)}
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"Only members know" in written
    assert SECRET.encode() not in written
    assert SECRET not in ended.stdout + ended.stderr


def test_a_login_is_on_the_request_only_while_it_is_sent() -> None:
    middleware = LoginMiddleware(Logins({"https://docs.example.org": {"Cookie": "a=1", "X-Key": "k"}}))
    request = Request(URL, headers={"Cookie": "own=2", "Accept": "text/html"})
    before = request.headers.copy()
    middleware.process_request(request)
    assert request.headers["Cookie"] == b"own=2; a=1"
    assert request.headers["X-Key"] == b"k"
    middleware.process_response(request, Response(URL))
    assert request.headers == before
    middleware.process_request(request)
    middleware.process_exception(request, OSError())
    assert request.headers == before


def test_a_wrong_login_is_refused_without_being_shown() -> None:
    settings = Settings({**project_settings(), "CRAWL_COOKIES": f'{{"a.org/path": "{SECRET}"}}'})
    with pytest.raises(SettingError) as caught:
        WebAccessConfig.from_settings(settings)
    assert "CRAWL_COOKIES" in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
