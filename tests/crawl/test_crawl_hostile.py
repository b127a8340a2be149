"""A site that tries to lead a crawl astray, to hold it up, and to fill its memory.

One crawl as a user runs it, on the reactor, in a process of its own.
"""

import gzip
import itertools
import json
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
SETTINGS = {
    "QDRANT_URL": "",
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "JAVASCRIPT": "never",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "RETRY_ENABLED": "False",
    "DOWNLOAD_TIMEOUT": "3",
    "DOWNLOAD_MAXSIZE": "8000000",
    "TRAP_MAX_DATES": "12",
    "SITE_MAX_FAILURES": "100",
    "TWISTED_DNS_RESOLVER": "hostile_resolver.HostileResolver",
    "LOG_LEVEL": "WARNING",
}

GONE = threading.Event()
_BLOCK = b"<p>" + b"word " * 13_000
_NUMBERS = itertools.count(1)


def html(*links: str, title: str = "", words: str = "") -> bytes:
    """A page with words of its own."""
    number = next(_NUMBERS)
    rng = random.Random(number)
    own = words or " ".join("".join(rng.choices("abcdefghiklmnoprstuvw", k=7)) for _ in range(40))
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return (
        f"<html><head><title>{title or f'Page {number}'}</title></head><body><main><h1>Page {number}</h1>"
        f"<p>{own}</p></main><nav>{anchors}</nav></body></html>"
    ).encode()


def answer(body: bytes, *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    """A response as bytes; `length` is what it claims."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    if not any(header.lower().startswith("content-type") for header in headers):
        lines.append("Content-Type: text/html; charset=utf-8")
    return "\r\n".join([*lines, *headers, "Connection: close", "", ""]).encode() + body


def redirect(target: str) -> bytes:
    return answer(b"", f"Location: {target}", status="302 Found")


class HostileSite:
    """Answers by the first segment of the path; counts what it was asked for."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.secret = Watched()
        self._server = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self._server.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._server.close()
        self.secret.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            try:
                head = connection.recv(65_536).decode("latin-1")
                path = head.split(" ")[1]
                self.paths.append(path)
                kind = path[1:].partition("/")[0].partition("?")[0].partition(";")[0]
                getattr(self, f"_{kind or 'start'}", self._nothing)(connection, path)
            except (OSError, IndexError):
                return

    def _start(self, connection: socket.socket, path: str) -> None:
        secret = self.secret.port
        links = [
            *("/calendar/2024/1", "/grow/", "/longer?x=1", "/session;jsessionid=1?PHPSESSID=1"),
            *("/loop/a", "/chain/1", "/file", "/malformed", "/private", "/literal", "/deep"),
            *(
                "/bomb",
                "/nested",
                "/plain",
                "/endless",
                "/huge",
                "/drip",
                "/short",
                "/long_claim",
                "/hang_up",
            ),
            *("/headers", "/chunks", "/status", "/utf16", "/punycode", *(f"/missing/{n}" for n in range(4))),
            f"http://127.0.0.1:{secret}/literal",
            f"http://trap.evil.example:{secret}/name",
            f"http://anna:secret@127.0.0.1:{secret}/",
            f"http://2130706433:{secret}/",
            f"http://127.1:{secret}/",
            f"http://[::ffff:127.0.0.1]:{secret}/",
            f"http:\\\\127.0.0.1:{secret}\\x",
            *("file:///etc/passwd", "javascript:alert(1)", "http://[", "/good"),
        ]
        connection.sendall(answer(html(*links)))

    def _nothing(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(b"not here", status="404 Not Found"))

    def _good(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html()))

    def _calendar(self, connection: socket.socket, path: str) -> None:
        _, _, year, month = path.split("/")
        later, earlier = int(year) * 12 + int(month), int(year) * 12 + int(month) - 2
        links = [f"/calendar/{number // 12}/{number % 12 + 1}" for number in (later, earlier)]
        connection.sendall(answer(html(*links)))

    def _grow(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html("grow/")))

    def _longer(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html(f"{path}{'1' * 200}")))

    def _session(self, connection: socket.socket, path: str) -> None:
        number = next(_NUMBERS)
        connection.sendall(
            answer(html(*(f"/session;jsessionid={number}{n}?PHPSESSID={n}" for n in range(9))))
        )

    def _loop(self, connection: socket.socket, path: str) -> None:
        connection.sendall(redirect("/loop/b" if path.endswith("a") else "/loop/a"))

    def _chain(self, connection: socket.socket, path: str) -> None:
        connection.sendall(redirect(f"/chain/{int(path.rpartition('/')[2]) + 1}"))

    def _file(self, connection: socket.socket, path: str) -> None:
        connection.sendall(redirect("file:///etc/passwd"))

    def _malformed(self, connection: socket.socket, path: str) -> None:
        connection.sendall(redirect("http://[127.0.0.1"))

    def _deep(self, connection: socket.socket, path: str) -> None:
        connection.sendall(redirect("/private"))

    def _private(self, connection: socket.socket, path: str) -> None:
        connection.sendall(redirect(f"http://trap.evil.example:{self.secret.port}/redirected"))

    def _literal(self, connection: socket.socket, path: str) -> None:
        connection.sendall(redirect(f"http://127.0.0.1:{self.secret.port}/redirected"))

    def _bomb(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(gzip.compress(bytes(40_000_000)), "Content-Encoding: gzip"))

    def _nested(self, connection: socket.socket, path: str) -> None:
        body = html()
        for _ in range(5):
            body = gzip.compress(body)
        connection.sendall(answer(body, f"Content-Encoding: {', '.join(['gzip'] * 5)}"))

    def _plain(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html(), "Content-Encoding: gzip"))

    def _endless(self, connection: socket.socket, path: str) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        self._forever(lambda: connection.sendall(_BLOCK))

    def _huge(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(b"", length=2**30))
        self._forever(lambda: connection.sendall(_BLOCK))

    def _headers(self, connection: socket.socket, path: str) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        self._forever(lambda: connection.sendall(b"X-Header: value\r\n" * 500))

    def _drip(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(b"", length=10_000))

        def drop() -> None:
            connection.sendall(b"x")
            GONE.wait(0.2)

        self._forever(drop)

    @staticmethod
    def _forever(send: Callable[[], None]) -> None:
        while not GONE.is_set():
            send()  # ends when the crawler hangs up

    def _short(self, connection: socket.socket, path: str) -> None:
        body = html()
        connection.sendall(answer(body + b"<p>more</p>", length=len(body)))

    def _long_claim(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html(), length=50_000))

    def _hang_up(self, connection: socket.socket, path: str) -> None:
        """Say nothing."""

    def _chunks(self, connection: socket.socket, path: str) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + b"5\r\n<p>hi\r\nzzzz\r\nnonsense\r\n")

    def _status(self, connection: socket.socket, path: str) -> None:
        connection.sendall(b"HTTP/1.1 banana split\r\n\r\n")

    def _utf16(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html() + b"\xd8", "Content-Type: text/html; charset=utf-16"))

    def _punycode(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html(), "Content-Type: text/html; charset=punycode"))

    def _missing(self, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(html(title="Page not found", words=f"There is no {path} here.")))


class Watched:
    """A server that nobody may reach: it counts connections, not only requests."""

    def __init__(self) -> None:
        self.connections = 0
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()


@pytest.fixture(scope="module")
def site() -> Iterator[HostileSite]:
    served = HostileSite()
    yield served
    GONE.set()
    served.close()


@pytest.fixture(scope="module")
def report(site: HostileSite, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the crawl says of itself, with its exit code and the most memory it took."""
    output = tmp_path_factory.mktemp("output")
    settings = [f"{name}={value}" for name, value in {**SETTINGS, "OUTPUT_DIR": str(output)}.items()]
    arguments = ["crawl", "seeds", "-a", f"domains={site.url},*.evil.example:{site.secret.port}"]
    with (output / "log").open("wb") as errors:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "scrapy",
                *arguments,
                *(part for value in settings for part in ("-s", value)),
            ],
            cwd=PROJECT,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parent), "HF_HUB_OFFLINE": "1"},
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    log = (output / "log").read_text(encoding="utf-8")
    (path,) = output.glob("runs/*/report.json")
    extra = {"exit": process.returncode, "peak_mebibytes": usage.ru_maxrss / 1024, "log": log}
    return {**json.loads(path.read_text(encoding="utf-8")), **extra}


def test_the_crawl_ends_and_its_numbers_add_up(report: dict[str, Any]) -> None:
    assert report["end"] == "finished"
    assert report["disagreements"] == []
    assert report["exit"] == 4
    assert "Traceback" not in report["log"]


def test_nothing_private_is_reached(report: dict[str, Any], site: HostileSite) -> None:
    assert site.secret.connections == 0
    assert site.paths.count("/private") == 2  # asked for itself, and redirected to


def test_each_trick_has_its_reason(report: dict[str, Any]) -> None:
    assert report["pages"]["skipped"] == {
        "offsite": 3,  # two links and a redirect to another port
        "private_address": 3,  # a name that resolves to it: a link, a redirect, a chain of them
        "unsafe_url": 2,  # redirects to a file, and to what is no URL
        "redirect_loop": 2,  # in a circle, and ever on
        "trap_calendar": 2,
        "trap_length": 1,
        "trap_repetition": 1,
        "soft_404": 4,
    }
    assert report["pages"]["failed"] == {
        "unknown_host": 1,
        "timed_out": 1,  # a byte now and then
        "too_large": 5,  # endless body, a gigabyte, endless headers, a bomb, a nested one
        "cut_off": 2,  # shorter than it claims; chunks that are none
        "damaged": 1,  # compressed by its word alone
        "download_error": 2,  # nothing at all; no status
    }


def test_what_can_be_read_is_kept_once(report: dict[str, Any], site: HostileSite) -> None:
    calendar, growing, longer, sessions = 12, 3, 5, 1
    plain = len(["start", "good", "longer than it claims", "utf-16", "punycode"])
    assert report["pages"]["fetched"] == calendar + growing + longer + sessions + plain
    assert sum(path.startswith("/session") for path in site.paths) == 1
    assert report["stats"]["ragcrawler/soft_404/questions"] == 1
    assert report["stats"]["ragcrawler/guard/private_address"] == 3


def test_memory_is_bounded(report: dict[str, Any]) -> None:
    assert report["peak_mebibytes"] < 450
