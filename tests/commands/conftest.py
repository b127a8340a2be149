"""Commands as a user runs them: in a process of their own, with the real reactor."""

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.warm_python import Python, WarmPython, completed

PROJECT = Path(__file__).parents[2]
QUICK = {
    "QDRANT_URL": "",
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "RETRY_ENABLED": "False",
    "TWISTED_DNS_RESOLVER": "loopback_resolver.LoopbackResolver",
    "LOG_LEVEL": "WARNING",
}


class Scrapy:
    """Runs `scrapy` in this project, with its output kept."""

    def __init__(self, python: Python, output: Path) -> None:
        self.output = output
        self._python = python
        self._running: list[WarmPython] = []

    def start(self, *arguments: str, **settings: str) -> WarmPython:
        """Start a command; settings are given as `-s NAME=VALUE`."""
        values = {"OUTPUT_DIR": str(self.output), **QUICK, **settings}
        given = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
        own = {"PYTHONPATH": str(Path(__file__).parent), "HF_HUB_OFFLINE": "1"}
        process = self._python("-m", "scrapy", *arguments, *given, environment=os.environ | own)
        self._running.append(process)
        return process

    def run(self, *arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return completed(self.start(*arguments, **settings))

    def close(self) -> None:
        """End what still runs."""
        for process in self._running:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def make_scrapy(python: Python) -> Iterator[Callable[[Path], Scrapy]]:
    runners: list[Scrapy] = []

    def make(output: Path) -> Scrapy:
        runners.append(Scrapy(python, output))
        return runners[-1]

    yield make
    for runner in runners:
        runner.close()


@pytest.fixture
def scrapy(make_scrapy: Callable[[Path], Scrapy], tmp_path: Path) -> Iterator[Scrapy]:
    runner = make_scrapy(tmp_path / "output")
    yield runner
    runner.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serve what a function answers for a path; gives the site's URL."""
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Callable[[str], tuple[int, bytes]]) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = answer(self.path)
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Keep the test's output quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """A crawler that stops hangs up; that is no error here."""

        server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
