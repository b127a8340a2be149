"""A small website served from a folder on this machine: for the demo, and for crawls in tests.

The folder holds `site.json`:

    {"root": "pages",                        folder of the files, beside site.json
     "redirects": {"/old": "/new.html"},     permanent, path to path
     "content_types": {".md": "text/markdown; charset=utf-8"},
     "base_url_in": ["/sitemap.xml"],        files in which {base_url} becomes the server's address
     "not_found": "/404.html"}               body of a 404
"""

import hashlib
import json
import posixpath
import sys
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import BoundedSemaphore, Thread
from types import TracebackType
from typing import Any, ClassVar, NamedTuple
from urllib.parse import quote, unquote

DEMO_SITE = Path(__file__).parent / "demo_site"  # ships with the project

_CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_MAX_CONNECTIONS = 64
_IDLE_SECONDS = 10
_REMEMBERED_REQUESTS = 10_000


class Request(NamedTuple):
    """A request that was answered; `path` is as it was asked for."""

    method: str
    path: str
    status: int


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """The values of `site.json`; the module's docstring explains the fields."""

    root: Path
    redirects: Mapping[str, str] = field(default_factory=dict)
    content_types: Mapping[str, str] = field(default_factory=dict)
    base_url_in: frozenset[str] = frozenset()
    not_found: str = ""

    @classmethod
    def read(cls, folder: Path) -> "SiteConfig":
        """Read `site.json` in a folder.

        Raises:
            FileNotFoundError: there is none, or its root folder is missing.
        """
        fields = json.loads((folder / "site.json").read_text(encoding="utf-8"))
        root = (folder / fields["root"]).resolve()
        if not root.is_dir():
            raise FileNotFoundError(f"{folder / 'site.json'} names the root {root}, which is no folder")
        return cls(
            root=root,
            redirects=fields.get("redirects", {}),
            content_types=_CONTENT_TYPES | fields.get("content_types", {}),
            base_url_in=frozenset(fields.get("base_url_in", [])),
            not_found=fields.get("not_found", ""),
        )


class SiteServer:
    """Serves a site on 127.0.0.1 while its `with` block runs.

    Args:
        folder: holds `site.json`.
        port: 0 takes a free one.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._server = _Server(SiteConfig.read(folder), port)
        self._thread = Thread(
            target=self._server.serve_forever, args=(0.05,), name="site-server", daemon=True
        )

    @property
    def url(self) -> str:
        return f"{self._server.base_url}/"

    @property
    def domain(self) -> str:
        """Host and port, as `-a domains=` takes them."""
        return self._server.base_url.removeprefix("http://")

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests so far, oldest first, at most the last 10,000."""
        return tuple(self._server.requests)

    def __enter__(self) -> "SiteServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Threads that wait for the next request of a connection kept alive must not hold up the end of the block.
    block_on_close = False

    def __init__(self, config: SiteConfig, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.config = config
        self.base_url = f"http://127.0.0.1:{self.server_address[1]}"
        self.requests: deque[Request] = deque(maxlen=_REMEMBERED_REQUESTS)
        self._free = BoundedSemaphore(_MAX_CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._free.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that goes away, as a crawl does when it is stopped, is no error of the site.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "ragcrawler-site"
    sys_version = ""
    timeout: ClassVar[float] = _IDLE_SECONDS

    def do_GET(self) -> None:
        """Answer with a file, a redirect, or the page for what is not there."""
        path = unquote(self.path.partition("?")[0])
        target = self._redirect_target(path)
        if target:
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", {"Location": quote(target)})
            return
        file = self._file(path)
        if file is None:
            self._send_not_found()
        else:
            self._send_file(path, file)

    do_HEAD = do_GET  # noqa: N815 - likewise; `_send` leaves out the body

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Keep quiet: `SiteServer.requests` has what was asked for."""

    def _redirect_target(self, path: str) -> str:
        target = self.server.config.redirects.get(path, "")
        folder = f"/{path.strip('/')}/"  # one slash in front: two would name a host
        return target or (folder if not path.endswith("/") and self._file(folder) else "")

    def _file(self, path: str) -> Path | None:
        # normpath takes dot segments out before the path meets the disk; resolve() follows symbolic links.
        inside = posixpath.normpath("/" + path).lstrip("/")
        if "\0" in inside or "\\" in inside:
            return None
        root = self.server.config.root
        file = (root / inside / ("index.html" if path.endswith("/") else "")).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None

    def _send_file(self, path: str, file: Path) -> None:
        body = file.read_bytes()
        if path in self.server.config.base_url_in:
            body = body.replace(b"{base_url}", self.server.base_url.encode())
        headers = {
            "Content-Type": self.server.config.content_types.get(file.suffix, "application/octet-stream"),
            "ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"',
            "Last-Modified": formatdate(int(file.stat().st_mtime), usegmt=True),
        }
        if self._is_fresh(headers):
            self._send(HTTPStatus.NOT_MODIFIED, b"", {"ETag": headers["ETag"]})
        else:
            self._send(HTTPStatus.OK, body, headers)

    def _is_fresh(self, headers: Mapping[str, str]) -> bool:
        # RFC 9110, section 13.2.2: the date counts only where no entity tag was sent.
        if tags := self.headers.get("If-None-Match"):
            return headers["ETag"] in tags
        try:
            since = parsedate_to_datetime(self.headers.get("If-Modified-Since", ""))
            return since >= parsedate_to_datetime(headers["Last-Modified"])
        except (ValueError, TypeError):
            return False  # no date, or one without a time zone: the whole page is asked for

    def _send_not_found(self) -> None:
        page = self._file(self.server.config.not_found) if self.server.config.not_found else None
        body = page.read_bytes() if page else b"not found\n"
        kind = "text/html; charset=utf-8" if page else "text/plain; charset=utf-8"
        self._send(HTTPStatus.NOT_FOUND, body, {"Content-Type": kind})

    def _send(self, status: HTTPStatus, body: bytes, headers: Mapping[str, str]) -> None:
        self.server.requests.append(Request(self.command, self.path, status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
