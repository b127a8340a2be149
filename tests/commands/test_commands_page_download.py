"""One page for a command: bounded, and never from where the user did not point."""

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ragcrawler.commands.base.page_download import DownloadBounds, download

LIMITS: dict[str, Any] = {"bounds": DownloadBounds(max_bytes=1000), "user_agent": "somebody/1 (a@b.example)"}


class Server(ThreadingHTTPServer):
    """Answers each path with raw bytes, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, answer: Callable[[str], bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.asked: list[str] = []
        self.agents: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.agents.append(self.headers["User-Agent"])
        self.wfile.write(self.server.answer(self.path))

    def log_message(self, *_: object) -> None:
        """Keep the test's output quiet."""


def page(body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s" % (size, body)


def redirect(target: str) -> bytes:
    return b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % target.encode()


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[str], bytes]], Server]]:
    servers: list[Server] = []

    def start(answer: Callable[[str], bytes]) -> Server:
        servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def raw_server() -> Iterator[Callable[[Callable[[socket.socket, str], None]], str]]:
    """Starts a server that gives each connection, and the path it was asked for, to a function."""
    servers: list[socket.socket] = []

    def start(answer: Callable[[socket.socket, str], None]) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)
        threading.Thread(target=_serve_raw, args=(server, answer), daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/"

    yield start
    for server in servers:
        server.close()


def _serve_raw(server: socket.socket, answer: Callable[[socket.socket, str], None]) -> None:
    def run(connection: socket.socket) -> None:
        with connection:
            try:
                answer(connection, connection.recv(65_536).decode("latin-1").split(" ")[1])
            except OSError:
                return  # the other side hung up, as it should

    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        threading.Thread(target=run, args=(connection,), daemon=True).start()


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_a_named_private_host_is_asked_by_name_of_the_user_agent(serve) -> None:
    server = serve(lambda path: page(b"text"))
    found = download(f"{server.url}/ä b#part", **LIMITS)
    assert (found.body, found.content_type) == (b"text", "text/plain")
    assert found.url == f"{server.url}/%C3%A4%20b"
    assert server.agents == ["somebody/1 (a@b.example)"]


def test_a_redirect_within_the_named_place_is_followed(serve) -> None:
    server = serve(lambda path: redirect("/there") if path == "/" else page(b"text"))
    assert download(server.url, **LIMITS).url == f"{server.url}/there"


def test_a_redirect_to_another_private_place_is_refused_and_not_asked(serve) -> None:
    inner = serve(lambda path: page(b"secret"))
    server = serve(lambda path: redirect(f"{inner.url}/secret"))
    with pytest.raises(ValueError, match=r"127\.0\.0\.1 is no host of the public internet"):
        download(server.url, **LIMITS)
    assert inner.asked == []


def test_a_redirect_to_a_name_with_a_private_address_is_refused(serve, monkeypatch) -> None:
    def look_up(host: str, port: int, *_: object, **__: object) -> list[Any]:
        answer = "10.0.0.1" if host == "inner.example" else host
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answer, port))]

    monkeypatch.setattr("ragcrawler.commands.base.guarded_connection.socket.getaddrinfo", look_up)
    server = serve(lambda path: redirect("http://inner.example/"))
    with pytest.raises(ValueError, match=r"inner\.example is 10\.0\.0\.1"):
        download(server.url, **LIMITS)


@pytest.mark.parametrize("target", ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:text/plain,x", "/"])
def test_a_redirect_that_leads_nowhere_ends(serve, target: str) -> None:
    server = serve(lambda path: redirect(target))
    with pytest.raises(OSError, match=r"[Rr]edirect|unknown url type"):
        download(server.url, **LIMITS)
    assert len(server.asked) <= 11


def test_a_page_over_the_limit_is_read_no_further_than_to_see_it(serve) -> None:
    server = serve(lambda path: page(b"x" * 1_000_000))
    assert len(download(server.url, **LIMITS).body) == 1001


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (page(b"half", 8), "the server hung up 4 bytes before the end"),
        (b"220 mail.example ESMTP\r\n\r\n", "no HTTP: BadStatusLine"),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "404"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "no HTTP: IncompleteRead",
        ),
    ],
)
def test_what_is_no_whole_page_is_an_error_that_says_so(serve, answer: bytes, message: str) -> None:
    server = serve(lambda path: answer)
    with pytest.raises(OSError, match=message):
        download(server.url, **LIMITS)


@pytest.mark.parametrize(
    "url", ["http://u:p@a.example/", "http://2130706433/", "https:///x", "gopher://a.b/"]
)
def test_what_is_no_plain_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        download(url, **LIMITS)
    assert ":p@" not in str(caught.value)


def test_a_proxy_gets_the_name_and_redirects_through_it_are_judged(serve, monkeypatch) -> None:
    proxy = serve(lambda path: redirect("http://10.0.0.1/") if path.endswith("/away") else page(b"text"))
    monkeypatch.setenv("http_proxy", proxy.url)
    assert download("http://site.example/here", **LIMITS).body == b"text"
    with pytest.raises(ValueError, match=r"10\.0\.0\.1 is no host"):
        download("http://site.example/away", **LIMITS)
    assert proxy.asked == ["http://site.example/here", "http://site.example/away"]


def with_bounds(**bounds: Any) -> dict[str, Any]:
    return {**LIMITS, "bounds": DownloadBounds(**{"max_bytes": 1000, **bounds})}


def test_the_body_of_a_redirect_is_not_read(raw_server) -> None:
    body = b"x" * 2**16
    sent: list[int] = []

    def answer(connection: socket.socket, path: str) -> None:
        if path != "/":
            connection.sendall(page(b"text"))
            return
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 50000000000\r\n\r\n")
        while True:
            connection.sendall(body)  # ends when the other side hangs up
            sent.append(len(body))

    assert download(raw_server(answer), **LIMITS).body == b"text"
    assert sum(sent) < 50_000_000


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-Long: ",
        b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n",
    ],
    ids=["nothing", "a header", "a body", "a chunk"],
)
def test_a_server_that_sends_a_byte_now_and_then_is_left_at_the_deadline(raw_server, head: bytes) -> None:
    gone = threading.Event()

    def answer(connection: socket.socket, path: str) -> None:
        connection.sendall(head)
        while not gone.wait(0.05):
            connection.sendall(b"1" if head else b"")

    with pytest.raises(TimeoutError, match=r"not there after 0\.5 seconds"):
        download(raw_server(answer), **with_bounds(timeout_seconds=0.5))
    gone.set()


def test_redirects_share_one_deadline_and_are_counted(serve) -> None:
    server = serve(lambda path: redirect(f"{path}x"))
    with pytest.raises(OSError, match="over 3 redirects in a row"):
        download(server.url, **with_bounds(max_redirects=3))
    assert len(server.asked) == 4


def test_headers_over_the_bound_are_refused(serve) -> None:
    server = serve(lambda path: b"HTTP/1.1 200 OK\r\nX: %s\r\nContent-Length: 0\r\n\r\n" % (b"x" * 9_000))
    with pytest.raises(OSError, match="the headers are over 8192 bytes"):
        download(server.url, **with_bounds(max_header_bytes=8192))


def test_what_a_server_says_cannot_move_the_cursor(serve) -> None:
    server = serve(lambda path: b"HTTP/1.1 503 \x1b]0;owned\x07 bad\x9b2J\r\nContent-Length: 0\r\n\r\n")
    with pytest.raises(OSError, match="the server answers 503") as caught:
        download(server.url, **LIMITS)
    assert str(caught.value) == "the server answers 503 ]0;owned bad2J"
