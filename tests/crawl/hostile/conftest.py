"""A site that tries to lead a crawl astray, to hold it up, and to fill its memory."""

import datetime
import gzip
import ipaddress
import itertools
import random
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

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
        self.agents: set[str] = set()
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
                self.agents |= {line[12:] for line in head.split("\r\n") if line.startswith("User-Agent: ")}
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


class Impostor:
    """A server with a certificate that nobody vouches for."""

    def __init__(self, folder: Path) -> None:
        self.requests = 0
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(_certificate(folder))
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            try:
                with self._context.wrap_socket(connection, server_side=True) as secure:
                    self.requests += bool(secure.recv(1))
            except OSError:
                continue  # the crawler hung up, as it should


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = made.add_extension(names, critical=False)
    made = made.not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "certificate.pem"
    path.write_bytes(private + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture(scope="module")
def impostor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Impostor]:
    served = Impostor(tmp_path_factory.mktemp("impostor"))
    yield served
    served.close()
