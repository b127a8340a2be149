"""A program of Scrapy in which the n-th call of one dependency fails.

    python -m fault_seams '{"seam": "sqlite", "kind": "error", "number": 17, "notes": "FOLDER"}' crawl ...

The calls are counted where the dependency begins. `calls` in the folder of the notes is how many there were,
`failed` which one failed. The disk is not failed from within: who started the program observes its calls.
"""

import atexit
import functools
import json
import os
import signal
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from power_cut.system_calls import be_observed

# `away`: from the n-th call on none is answered. The others fail once.
KINDS = ("error", "timeout", "away", "death")


@dataclass(frozen=True, slots=True)
class Fault:
    """Which call fails, and how.

    Attributes:
        seam: where, a name of `SEAMS`; "" nowhere.
        kind: one of `KINDS`.
        number: of the call, from 1; 0 for none: then the calls are counted alone.
        among: a part of the names of the calls and their callers that count.
        notes: folder for what was counted; of the disk, the socket of the observer.
    """

    seam: str
    kind: str = "error"
    number: int = 0
    among: str = ""
    notes: str = ""

    def is_at(self, number: int) -> bool:
        """Whether this call is to fail."""
        return number == self.number or (self.kind == "away" and 0 < self.number < number)


class Injector:
    """Counts the calls of a seam and fails the one that is to fail.

    Args:
        fault: that is wanted.
        errors: what the dependency raises, by kind of fault; what is not there is as an error.
    """

    def __init__(self, fault: Fault, errors: dict[str, Callable[[], Exception]]) -> None:
        self._fault = fault
        self._errors = errors
        self._lock = threading.Lock()
        self._count = 0
        atexit.register(lambda: Path(fault.notes, "calls").write_text(str(self._count)))

    def call(self, what: str, before_error: Callable[[], object] = lambda: None) -> None:
        """Count a call, and fail it where it is its turn.

        Args:
            what: is called.
            before_error: the dependency does it when it fails so.
        """
        name = " < ".join((what, *_callers()))
        with self._lock:
            self._count += self._fault.among in name
            if self._fault.among not in name or not self._fault.is_at(self._count):
                return
            if self._count == self._fault.number:
                Path(self._fault.notes, "failed").write_text(name)
        if self._fault.kind == "death":
            os.kill(os.getpid(), signal.SIGKILL)
        if self._fault.kind == "error":
            before_error()
        raise self._errors.get(self._fault.kind, self._errors["error"])()

    def wrap(self, owner: Any, name: str, *, is_done: bool = False) -> None:
        """Count the calls of a function; one that fails is done all the same where `is_done`."""
        original = getattr(owner, name)

        @functools.wraps(original)
        def counted(*arguments: Any, **named: Any) -> Any:
            try:
                self.call(f"{owner.__name__}.{name}")
            except BaseException:
                if is_done:
                    original(*arguments, **named)
                raise
            return original(*arguments, **named)

        setattr(owner, name, counted)


def _callers() -> Iterator[str]:
    """Our functions on the way to the call."""
    frame = sys._getframe(2)
    while frame is not None:
        if "/ragcrawler/" in frame.f_code.co_filename:
            yield f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}"
        frame = frame.f_back  # type: ignore[assignment]


def _sqlite(fault: Fault) -> None:
    injector = Injector(
        fault,
        {
            "error": lambda: sqlite3.OperationalError("disk I/O error"),
            "timeout": lambda: sqlite3.OperationalError("database is locked"),
            "away": lambda: sqlite3.OperationalError("database or disk is full"),
        },
    )

    class Connection(sqlite3.Connection):
        def _roll_back(self) -> None:
            # So does SQLite: an I/O error or a full disk may end the whole transaction.
            if self.in_transaction:
                super().execute("ROLLBACK")

        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            injector.call(f"execute {statement[:60]}", self._roll_back)
            return super().execute(statement, *values)

        def executemany(self, statement: str, *values: Any) -> sqlite3.Cursor:
            injector.call(f"executemany {statement[:60]}", self._roll_back)
            return super().executemany(statement, *values)

        def executescript(self, script: str) -> sqlite3.Cursor:
            injector.call(f"executescript {script[:60]}", self._roll_back)
            return super().executescript(script)

        def commit(self) -> None:
            injector.call("commit", self._roll_back)
            super().commit()

    connect = sqlite3.connect

    def counted(*arguments: Any, **named: Any) -> sqlite3.Connection:
        injector.call(f"connect {arguments[0]}")
        return connect(*arguments, **named, factory=Connection)

    sqlite3.connect = counted  # type: ignore[assignment]


_STORE = ("create", "upsert", "delete", "embed_hashes", "get", "scroll", "points", "count", "search")


def _store(fault: Fault) -> None:
    from ragcrawler.stores import StoreAwayError, StoreError
    from ragcrawler.stores.qdrant_embedded.store import QdrantEdgeStore

    injector = Injector(
        fault,
        {
            "error": lambda: StoreError("The collection cannot be used: an error that was injected."),
            "timeout": lambda: StoreAwayError("The store does not answer: a time-out that was injected."),
            "away": lambda: StoreAwayError("The store is away: injected."),
        },
    )
    for name in (*_STORE, "optimize", "flush"):
        injector.wrap(QdrantEdgeStore, name)
    injector.wrap(QdrantEdgeStore, "close", is_done=True)


def _embedder(fault: Fault) -> None:
    from ragcrawler.embedding.families.hashing_embedders import HashingDense, HashingSparse
    from ragcrawler.embedding.protocol import EmbeddingError, ModelUnavailableError

    injector = Injector(
        fault,
        {
            "error": lambda: EmbeddingError("hashing/384 does not work: an error that was injected"),
            "timeout": lambda: ModelUnavailableError("hashing/384 gave no answer: injected"),
            "away": lambda: ModelUnavailableError("hashing/384 is away: injected"),
        },
    )
    for owner in (HashingDense, HashingSparse):
        for name in ("embed_batch", "embed_documents"):
            injector.wrap(owner, name)


def _model(fault: Fault) -> None:
    import httpx

    injector = Injector(
        fault,
        {
            "error": lambda: httpx.RemoteProtocolError("Server disconnected without sending a response."),
            "timeout": lambda: httpx.ReadTimeout("timed out"),
            "away": lambda: httpx.ConnectError("Connection refused"),
        },
    )
    handle = httpx.AsyncHTTPTransport.handle_async_request

    async def counted(self: Any, request: Any) -> Any:
        injector.call(f"{request.method} {request.url.path}")
        return await handle(self, request)

    httpx.AsyncHTTPTransport.handle_async_request = counted  # type: ignore[method-assign]


def _disk(fault: Fault) -> None:
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(fault.notes)
        be_observed(channel)


SEAMS: dict[str, Callable[[Fault], None]] = {
    "sqlite": _sqlite,
    "store": _store,
    "embedder": _embedder,
    "model": _model,
    "disk": _disk,
}


def main() -> None:
    from scrapy.cmdline import execute

    fault = Fault(**json.loads(sys.argv[1]))
    if fault.seam:
        SEAMS[fault.seam](fault)
    execute(["scrapy", *sys.argv[2:]])


if __name__ == "__main__":
    main()
