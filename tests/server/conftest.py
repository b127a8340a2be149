"""A server on loopback over a small collection."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from ragcrawler.config.server import server_config
from ragcrawler.server.run import serve
from ragcrawler.server.services.collection import ServedCollection
from tests.server.library import fill, settings


@dataclass(frozen=True)
class RunningServer:
    """A server in a thread of this process."""

    url: str
    collection: ServedCollection

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers=headers, trust_env=False)


@contextmanager
def running(output: Path, **changes: Any) -> Iterator[RunningServer]:
    """Serve the collection in `output` on a free port."""
    values = settings(output, **{"SERVER_REQUESTS_PER_SECOND": 10_000.0, **changes})
    started: threading.Event = threading.Event()
    addresses: list[str] = []
    with ServedCollection.open(values) as collection:
        loop = asyncio.new_event_loop()
        end = asyncio.Event()

        def tell(address: str) -> None:
            addresses.append(address)
            started.set()

        def run() -> None:
            config = server_config(values, "127.0.0.1", 0)
            loop.run_until_complete(serve(collection, config, tell=tell, end=end))
            loop.close()

        thread = threading.Thread(target=run)
        thread.start()
        assert started.wait(30)
        try:
            yield RunningServer(addresses[0], collection)
        finally:
            loop.call_soon_threadsafe(end.set)
            thread.join()


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Filled once: serving changes nothing."""
    output = tmp_path_factory.mktemp("library")
    fill(output)
    run = output / "runs" / "20260102T030405Z-seeds-1"
    run.mkdir(parents=True)
    (run / "report.json").write_text('{"pages": {"fetched": 2}}', "utf-8")
    (run / "report.md").write_text("# Run\n\n| pages | 2 |\n|---|---|\n| <b>bold</b> | 1 |\n", "utf-8")
    return output


@pytest.fixture(scope="session")
def server(library: Path) -> Iterator[RunningServer]:
    with running(library) as started:
        yield started


@pytest.fixture(scope="session")
def client(server: RunningServer) -> Iterator[httpx.Client]:
    with server.client() as opened:
        yield opened


@pytest.fixture
def serve_with() -> Iterator[Callable[..., RunningServer]]:
    """Start a server with other settings, or over another collection."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda output, **changes: stack.enter_context(running(output, **changes))
