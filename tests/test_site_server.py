"""The site server, asked over real connections."""

import http.client
import json
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragcrawler.site_server import Request, SiteServer

PAGE = b"<p>hello</p>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "inner").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (pages / "index.html").write_bytes(PAGE)
    (pages / "inner/index.html").write_bytes(b"inner")
    (pages / "gewächshaus.html").write_bytes(b"umlaut")
    (pages / "notes.md").write_bytes(b"# notes")
    (pages / "sitemap.xml").write_bytes(b"<loc>{base_url}/x</loc>")
    (pages / "404.html").write_bytes(b"gone")
    (pages / "outside.txt").symlink_to(tmp_path / "secret.txt")
    config = {
        "root": "pages",
        "redirects": {"/old": "/gewächshaus.html"},
        "content_types": {".md": "text/markdown"},
        "base_url_in": ["/sitemap.xml"],
        "not_found": "/404.html",
    }
    (tmp_path / "site.json").write_text(json.dumps(config))
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[SiteServer]:
    with SiteServer(folder) as running:
        yield running


def ask(
    server: SiteServer, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(server.domain, timeout=5)
    try:
        connection.request(
            method, path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "status", "body", "content_type"),
    [
        ("/", 200, PAGE, "text/html; charset=utf-8"),
        ("/index.html?a=1", 200, PAGE, "text/html; charset=utf-8"),
        ("/inner/", 200, b"inner", "text/html; charset=utf-8"),
        ("/gew%C3%A4chshaus.html", 200, b"umlaut", "text/html; charset=utf-8"),
        ("/notes.md", 200, b"# notes", "text/markdown"),
        ("/nothing", 404, b"gone", "text/html; charset=utf-8"),
        ("/../secret.txt", 404, b"gone", "text/html; charset=utf-8"),
        ("/%2e%2e/secret.txt", 404, b"gone", "text/html; charset=utf-8"),
        ("/inner/..%2f..%2fsecret.txt", 404, b"gone", "text/html; charset=utf-8"),
        ("//etc/passwd", 404, b"gone", "text/html; charset=utf-8"),
        ("/outside.txt", 404, b"gone", "text/html; charset=utf-8"),
        ("/a%00b", 404, b"gone", "text/html; charset=utf-8"),
    ],
)
def test_a_path_is_answered_from_the_root_folder_and_from_nowhere_else(
    server: SiteServer, path: str, status: int, body: bytes, content_type: str
) -> None:
    got_status, headers, got_body = ask(server, path)
    assert (got_status, got_body, headers["Content-Type"]) == (status, body, content_type)


@pytest.mark.parametrize(
    ("path", "target"), [("/old", "/gew%C3%A4chshaus.html"), ("/inner", "/inner/"), ("//inner", "/inner/")]
)
def test_a_redirect_names_an_encoded_path(server: SiteServer, path: str, target: str) -> None:
    status, headers, _ = ask(server, path)
    assert (status, headers["Location"]) == (301, target)


def test_head_gives_the_length_without_the_body(server: SiteServer) -> None:
    status, headers, body = ask(server, "/", "HEAD")
    assert (status, headers["Content-Length"], body) == (200, str(len(PAGE)), b"")


def test_the_servers_own_address_stands_in_the_files_that_ask_for_it(server: SiteServer) -> None:
    assert ask(server, "/sitemap.xml")[2] == f"<loc>{server.url}x</loc>".encode()


@pytest.mark.parametrize(
    ("header", "validator", "status"),
    [("If-None-Match", "ETag", 304), ("If-Modified-Since", "Last-Modified", 304)],
)
def test_a_page_that_has_not_changed_is_not_sent_again(
    server: SiteServer, header: str, validator: str, status: int
) -> None:
    value = ask(server, "/")[1][validator]
    assert ask(server, "/", **{header: value})[::2] == (status, b"")


@pytest.mark.parametrize(
    "since", ["Thu, 01 Jan 1970 00:00:00 GMT", "yesterday", "Thu, 01 Jan 2099 00:00:00 -0000"]
)
def test_an_older_or_unreadable_date_gets_the_whole_page(server: SiteServer, since: str) -> None:
    assert ask(server, "/", If_Modified_Since=since)[::2] == (200, PAGE)


def test_a_changed_page_is_sent_although_its_old_tag_is_known(server: SiteServer, folder: Path) -> None:
    tag = ask(server, "/")[1]["ETag"]
    (folder / "pages/index.html").write_bytes(b"new")
    assert ask(server, "/", If_None_Match=tag)[::2] == (200, b"new")


def test_what_was_asked_for_is_remembered_in_order(server: SiteServer) -> None:
    ask(server, "/")
    ask(server, "/nothing", "HEAD")
    assert server.requests == (Request("GET", "/", 200), Request("HEAD", "/nothing", 404))


def test_one_connection_carries_many_requests(server: SiteServer) -> None:
    connection = http.client.HTTPConnection(server.domain, timeout=5)
    bodies = []
    for path in ("/", "/old", "/inner/", "/nothing"):
        connection.request("GET", path)
        bodies.append(connection.getresponse().read())
    connection.close()
    assert bodies == [PAGE, b"", b"inner", b"gone"]


def test_a_client_that_goes_away_leaves_no_traceback(
    server: SiteServer, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "pages/large.txt").write_bytes(b"x" * 20_000_000)
    host, port = server.domain.split(":")
    for _ in range(3):
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            # Lingering for no time makes closing a reset, while the server still writes.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(b"GET /large.txt HTTP/1.1\r\nHost: x\r\n\r\n")
            connection.recv(1000)
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(timeout=15)
    assert capfd.readouterr().err == ""


def test_the_port_is_free_again_behind_the_block(folder: Path) -> None:
    with SiteServer(folder) as first:
        port = int(first.domain.rpartition(":")[2])
    with SiteServer(folder, port) as second:
        assert ask(second, "/")[0] == 200


def test_a_root_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "site.json").write_text('{"root": "nowhere"}')
    with pytest.raises(FileNotFoundError, match="nowhere"):
        SiteServer(tmp_path)
