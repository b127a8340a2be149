"""A crawl through five proxies of which one is dead, one always says 403, and one fails every third time.

    python benchmarks/proxies.py [--pages 200]

Prints one JSON object: pages that came, requests by proxy, and the states that the crawl reports.
"""

import argparse
import contextlib
import http.client
import json
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit


class Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name in the base
        pass

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def site(pages: int) -> type[Quiet]:
    links = "".join(f'<a href="/page/{number}">{number}</a> ' for number in range(pages - 1))

    class Site(Quiet):
        def do_GET(self) -> None:
            if self.path == "/":
                self.answer(200, f"<title>Start</title><h1>Start</h1><p>All pages.</p>{links}".encode())
            elif self.path.startswith("/page/"):
                self.answer(200, f"<h1>{self.path}</h1><p>The text of {self.path}.</p>".encode())
            else:
                self.answer(404, b"no")

    return Site


def proxy(kind: str, served: dict[str, int]) -> type[Quiet]:
    numbers = count(1)

    class Proxy(Quiet):
        def do_GET(self) -> None:
            served[kind] = served.get(kind, 0) + 1
            if kind == "forbidden":
                self.answer(403, b"no")
                return
            if kind == "flaky" and next(numbers) % 3 == 0:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            parts = urlsplit(self.path)
            connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=20)
            connection.request("GET", parts.path)
            response = connection.getresponse()
            self.answer(response.status, response.read())
            connection.close()

    return Proxy


@contextlib.contextmanager
def serving(handler: type[Quiet]) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    pages = parser.parse_args().pages
    served: dict[str, int] = {}
    with contextlib.ExitStack() as stack:
        output = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = stack.enter_context(serving(site(pages)))
        kinds = ("good", "good 2", "forbidden", "flaky")
        names = {stack.enter_context(serving(proxy(kind, served))): kind for kind in kinds}
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            names[unused.getsockname()[1]] = "dead"
        proxies = ",".join(f"127.0.0.1:{number}" for number in names)
        settings = {
            "OUTPUT_DIR": output,
            "ROTATING_PROXY_LIST": proxies,
            "EMBEDDING_MODEL": "hashing/384",
            "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
            "LOG_LEVEL": "ERROR",
        }
        options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        crawl = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains=http://127.0.0.1:{port}/"]
        code = subprocess.run([*crawl, *options], check=False).returncode
        report = json.loads(next((output / "runs").glob("*/report.json")).read_text())
    stats = {
        name.removeprefix("ragcrawler/proxies/"): value
        for name, value in report["stats"].items()
        if name.startswith("ragcrawler/proxies/")
    }
    fetched = report["pages"]["fetched"]
    print(
        json.dumps({"exit_code": code, "fetched": fetched, "pages": pages, "served": served, "stats": stats})
    )


if __name__ == "__main__":
    main()
