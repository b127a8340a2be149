"""Who may ask: hosts, origins, the token, rates and sizes, on every route."""

import base64
import json
import logging
import socket
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from ragcrawler.config.errors import SettingError
from ragcrawler.config.server import server_config
from tests.server.conftest import RunningServer
from tests.server.library import settings

TOKEN = "canary-token-of-32-characters-xx"
ROUTES = ["/", "/?q=logs", "/health", "/metrics", "/openapi.json", "/api/search?q=logs", "/mcp", "/nowhere"]


def status_of(port: int, *lines: str) -> int:
    """The status that a raw request gets."""
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(connection.makefile("rb").readline().split()[1])


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "header",
    [
        {"Host": "evil.test"},
        {"Host": "evil.test:{port}"},
        {"Host": "localhost:1"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1.evil.test:{port}"},
        {"Host": "user@127.0.0.1:{port}"},
        {"Host": ""},
        {"Origin": "null"},
        {"Origin": "https://evil.test"},
        {"Origin": "http://localhost:1"},
        {"Origin": "http://evil.test:{port}"},
        {"Origin": "file://127.0.0.1:{port}"},
    ],
    ids=str,
)
def test_a_foreign_host_or_origin_is_refused(
    server: RunningServer, route: str, header: dict[str, str]
) -> None:
    headers = {name: value.format(port=server.port) for name, value in header.items()}
    lines = [f"{name}: {value}" for name, value in ({"Host": f"127.0.0.1:{server.port}"} | headers).items()]
    assert status_of(server.port, f"GET {route} HTTP/1.1", *lines, "Connection: close") == 403


@pytest.mark.parametrize("version", ["HTTP/1.0", "HTTP/1.1"])
def test_a_missing_host_is_refused(server: RunningServer, version: str) -> None:
    assert status_of(server.port, f"GET /health {version}", "Connection: close") == 403


def test_what_is_no_http_is_refused(server: RunningServer) -> None:
    assert status_of(server.port, "nonsense") == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_loopback_names_and_the_own_origin_are_let_through(server: RunningServer, host: str) -> None:
    own = f"{host}:{server.port}"
    for origin in ([], [f"Origin: http://{own}"]):
        lines = ["GET /health HTTP/1.1", f"Host: {own}", *origin, "Connection: close"]
        assert status_of(server.port, *lines) == 200


def test_no_answer_lets_other_sites_read_it(server: RunningServer) -> None:
    with server.client() as client:
        for path in ("/health", "/nowhere", "/api/search"):
            headers = client.get(path).headers
            assert not [name for name in headers if name.startswith("access-control-")]
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
        assert client.options("/api/search", headers={"Origin": "https://evil.test"}).status_code == 403


def test_where_a_token_is_set_no_route_answers_without_it(
    serve_with: Callable[..., RunningServer], library: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    basic = base64.b64encode(f"anyone:{TOKEN}".encode()).decode()
    wrong = base64.b64encode(f"{TOKEN}:".encode()).decode()
    with caplog.at_level(logging.DEBUG), serve_with(tmp_path, SERVER_TOKEN=TOKEN).client() as client:
        for route in ROUTES:
            refused = client.get(route)
            assert refused.status_code == 401
            assert TOKEN not in refused.text
        for value in ("", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {wrong}", "Basic %"):
            assert client.get("/health", headers={"Authorization": value}).status_code == 401
        for value in (f"Bearer {TOKEN}", f"bearer {TOKEN}", f"Basic {basic}"):
            assert client.get("/health", headers={"Authorization": value}).status_code == 200
        assert client.get("/health", params={"token": TOKEN}).status_code == 401
    own = [each for each in caplog.records if not each.name.startswith("http")]  # but for this test's client
    assert not [each for each in own if TOKEN in each.getMessage()]


@pytest.mark.parametrize(
    ("changes", "headers", "status"),
    [
        ({"SERVER_TOKEN": TOKEN}, {}, 401),
        ({}, {"Origin": "https://evil.test"}, 403),
        ({"SERVER_REQUESTS_PER_SECOND": 0.001}, {}, 429),
    ],
)
def test_a_refusal_is_a_page_for_browsers_and_json_for_programs(
    serve_with: Callable[..., RunningServer],
    tmp_path: Path,
    changes: dict[str, Any],
    headers: dict[str, str],
    status: int,
) -> None:
    with serve_with(tmp_path, **changes).client(**headers) as client:
        client.get("/")  # the one that is answered where the rate is bounded
        answer = client.get("/api/sources")
        page = client.get("/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (answer.status_code, page.status_code) == (status, status)
    tree = html.document_fromstring(page.text)
    assert answer.json()["error"] in tree.text_content()
    assert tree.xpath("//title/text()") == [HTTPStatus(status).phrase]
    assert not tree.xpath("//script | //link | //img")
    assert "style-src 'sha256-" in tree.xpath("//meta[@http-equiv]/@content")[0]
    kept = {"www-authenticate", "retry-after"}
    assert {*page.headers} & kept == {*answer.headers} & kept
    assert page.headers["content-security-policy"] == "frame-ancestors 'none'"


@pytest.mark.parametrize(
    ("host", "given", "name"),
    [
        ("0.0.0.0", {}, "SERVER_TOKEN"),
        ("10.0.0.5", {}, "SERVER_TOKEN"),
        ("search.example.org", {}, "SERVER_TOKEN"),
        ("0.0.0.0", {"SERVER_TOKEN": TOKEN}, "SERVER_HOSTS"),
        ("127.0.0.1", {"SERVER_TOKEN": "short"}, "SERVER_TOKEN"),
        ("127.0.0.1", {"SERVER_TOKEN": "ü" * 20}, "SERVER_TOKEN"),
        ("127.0.0.1", {"SERVER_HOSTS": "https://search.example.org/"}, "SERVER_HOSTS"),
        ("127.0.0.1", {"SERVER_REQUESTS_PER_SECOND": 0}, "SERVER_REQUESTS_PER_SECOND"),
    ],
)
def test_a_server_that_others_reach_unguarded_does_not_start(
    tmp_path: Path, host: str, given: dict[str, object], name: str
) -> None:
    with pytest.raises(SettingError) as caught:
        server_config(settings(tmp_path, **given), host, 8000)
    assert caught.value.name == name
    assert "ü" not in str(caught.value)
    assert "short" not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_on_loopback_no_token_is_needed(tmp_path: Path, host: str) -> None:
    assert server_config(settings(tmp_path), host, 8000).is_loopback


def test_named_hosts_are_let_through(serve_with: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve_with(tmp_path, SERVER_HOSTS="search.example.org, 10.0.0.5:8000")
    for host, status in (("Search.Example.org", 200), ("10.0.0.5:8000", 200), ("10.0.0.5", 403)):
        lines = ["GET /health HTTP/1.1", f"Host: {host}", "Connection: close"]
        assert status_of(server.port, *lines) == status


def test_a_client_that_asks_too_often_waits(serve_with: Callable[..., RunningServer], tmp_path: Path) -> None:
    server = serve_with(tmp_path, SERVER_REQUESTS_PER_SECOND=0.01)
    with server.client() as client:
        answers = [client.get("/openapi.json") for _ in range(2)]
    assert [each.status_code for each in answers] == [200, 429]
    assert int(answers[1].headers["retry-after"]) > 0


def test_bodies_and_headers_are_bounded(server: RunningServer) -> None:
    with server.client() as client:
        body = json.dumps({"question": "a" * 70_000})
        headers = {"Content-Type": "application/json"}
        assert client.post("/api/ask", content=body, headers=headers).status_code == 413
        assert (
            client.post("/api/ask", content="{}", headers={"Content-Type": "text/plain"}).status_code == 415
        )
        assert client.post("/api/ask", content="[" * 60_000, headers=headers).status_code == 422
    host = f"Host: 127.0.0.1:{server.port}"
    assert status_of(server.port, "GET /health HTTP/1.1", host, f"X: {'a' * 200_000}") in {400, 431}


def test_asking_is_bounded_for_all_clients_together_and_needs_a_model(
    serve_with: Callable[..., RunningServer], tmp_path: Path
) -> None:
    server = serve_with(tmp_path, SERVER_ASKS_PER_MINUTE=1.0)
    with server.client() as client:
        answers = [client.post("/api/ask", json={"question": "logs?"}) for _ in range(2)]
        counted = client.get("/metrics").text
    assert [each.status_code for each in answers] == [503, 429]
    assert "LLM_MODEL" in answers[0].json()["error"]
    assert 'ragcrawler_asks_total{outcome="limited"} 1.0' in counted
