"""Answers other processes about a collection that this one owns."""

import logging
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from ragcrawler.stores.errors import StoreBusyError, StoreError
from ragcrawler.stores.owner.calls import CALLS, EMBED, STREAMS, EmbedQuestion
from ragcrawler.stores.owner.codec import error_json, vector_json
from ragcrawler.stores.owner.frames import receive, send
from ragcrawler.stores.owner.socket_file import listen_at
from ragcrawler.stores.protocol import ChunkStore

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

_MOST_CONNECTIONS = 64
_BATCH = 64
_CREDENTIALS = struct.Struct("3i")  # process, user, group


class StoreServer:
    """Listens at a Unix socket; each call takes its turn on the thread that owns the store.

    Any number of processes read; one at a time writes, from its first write until it closes its connection or
    ends.

    Args:
        store: open.
        executor: of the one thread that may call the store.
        path: of the socket; the caller holds the lock on the collection.
        embed: makes the vectors of questions; any thread may call it. Without it others use models of theirs.
    """

    def __init__(
        self, store: ChunkStore, executor: Executor, path: Path, embed: EmbedQuestion | None = None
    ) -> None:
        self._store = store
        self._executor = executor
        self._path = path
        self._embed = embed
        self._writer: socket.socket | None = None
        self._connections: set[socket.socket] = set()
        self._state = threading.Lock()
        self._listening = listen_at(path)
        self._thread = threading.Thread(target=self._accept, name="store-server", daemon=True)
        self._thread.start()

    @property
    def has_writer(self) -> bool:
        """Whether another process writes to the collection."""
        return self._writer is not None

    def close(self) -> None:
        """Answer no more; calling it twice is fine."""
        with self._state:
            connections, self._connections = self._connections, set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        for each in connections:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()
        with suppress(FileNotFoundError):
            self._path.unlink()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return  # closed
            with self._state:
                is_welcome = len(self._connections) < _MOST_CONNECTIONS and _is_own_user(connection)
                if is_welcome:
                    self._connections.add(connection)
            if is_welcome:
                threading.Thread(target=self._serve, args=[connection], daemon=True).start()
            else:
                connection.close()

    def _serve(self, connection: socket.socket) -> None:
        try:
            while (message := receive(connection)) is not None:
                for answer in self._answers(connection, message["call"], message["given"]):
                    send(connection, answer)
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.info("A process that used the collection is gone: %s", error)
        finally:
            with self._state:
                self._connections.discard(connection)
                if self._writer is connection:
                    self._writer = None
            connection.close()

    def _answers(self, connection: socket.socket, name: str, given: Any) -> Iterator[Any]:
        """The result of a call, or the batches of a stream and then null; or an error."""
        try:
            if name == EMBED:
                yield {"result": self._embed_question(*given)}
            elif name in STREAMS:
                yield from self._batches(name, given)
            else:
                if CALLS[name].writes:
                    self._claim(connection)
                yield {"result": self._do(lambda: CALLS[name].do(self._store, given))}
        except Exception as error:  # noqa: BLE001  # whatever the engine says goes to whoever asked
            yield {"error": error_json(error)}

    def _embed_question(self, kind: str, text: str) -> Any:
        """On the connection's own thread: the store answers others while a model works."""
        if self._embed is None:
            raise StoreError(f"The owner of {self._store.location!r} embeds no questions of others.")
        return vector_json(self._embed(kind, text))

    def _batches(self, name: str, given: Any) -> Iterator[Any]:
        """Batch by batch: others have their turns between."""
        results = self._do(lambda: iter(STREAMS[name].do(self._store, given)))
        while batch := self._do(lambda: list(islice(results, _BATCH))):
            yield {"result": batch}
        yield {"result": None}

    def _claim(self, connection: socket.socket) -> None:
        with self._state:
            if self._writer not in (None, connection):
                raise StoreBusyError(
                    f"The collection {self._store.location!r} is written by another process. Wait until that "
                    "one ends (a crawl does so for COLLECTION_WAIT_SECONDS), or stop it."
                )
            self._writer = connection

    def _do(self, call: Callable[[], Result]) -> Result:
        return self._executor.submit(call).result()


def _is_own_user(connection: socket.socket) -> bool:
    """Whether the other side is of this process's user, or root; the mode of the socket says the same."""
    content = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(content)
    return user in (os.geteuid(), 0)
