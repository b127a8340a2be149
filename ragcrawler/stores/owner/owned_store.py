"""A collection that another process owns."""

import logging
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from ragcrawler.items import SemanticChunk, SparseVector
from ragcrawler.stores.batches import batches
from ragcrawler.stores.errors import StoreAwayError, StoreBusyError, StoreError
from ragcrawler.stores.filters import Filters, read_filters
from ragcrawler.stores.owner import codec
from ragcrawler.stores.owner.calls import CALLS, EMBED, STREAMS, Json
from ragcrawler.stores.owner.frames import receive, send
from ragcrawler.stores.owner.socket_file import connect_to
from ragcrawler.stores.protocol import ChunkStore, CollectionModels, Hit, StoredPoint
from ragcrawler.stores.search_request import SearchRequest

logger = logging.getLogger(__name__)

_WRITTEN_AT_ONCE = 256  # chunks


class OwnerGoneError(Exception):
    """No process listens, or the connection broke."""


class OwnedStore(ChunkStore):
    """A `ChunkStore` through the Unix socket of the process that owns it.

    Where that process ends, this one opens the collection itself and goes on. A call that was on its way is
    repeated: each has one effect.

    Args:
        path: of the socket.
        open_directly: opens the collection in this process.
        claims: keep other writers out from the beginning.

    Raises:
        OwnerGoneError: no process listens.
        StoreBusyError: another process writes.
    """

    def __init__(self, path: Path, open_directly: Callable[[], ChunkStore], *, claims: bool = False) -> None:
        self._path = path
        self._open_directly = open_directly
        self._claims = claims
        self._direct: ChunkStore | None = None
        self._connection: socket.socket | None = None
        self._turn = threading.Lock()
        self._is_closed = False
        try:
            self._location = str(self._ask_owner("location", None))
            if claims:
                self._ask_owner("claim", None)
        except BaseException:
            self._hang_up()
            raise

    @property
    def location(self) -> str:
        return self._location

    def models(self) -> CollectionModels | None:
        return codec.models_from(self._ask("models", None))

    def search(self, request: SearchRequest) -> list[Hit]:
        return codec.hits_from(self._ask("search", codec.request_json(request)))

    def embed_question(self, kind: str, text: str) -> Sequence[float] | SparseVector:
        """The vector of a question, by a model that the owner has loaded.

        Args:
            kind: of the model, "dense" or "sparse".
            text: the question.

        Raises:
            OwnerGoneError: there is no owner any more.
            StoreError: it has no model for questions.
        """
        self._require_open()
        with self._turn:
            if self._direct is not None:
                raise OwnerGoneError(str(self._path))
            try:
                return codec.vector_from(self._ask_owner(EMBED, [kind, text]))
            except OwnerGoneError:
                self._hang_up()
                raise

    def get(self, ids: Sequence[str]) -> list[SemanticChunk]:
        return codec.chunks_from(self._ask("get", list(ids)))

    def count(self, *, filters: Filters | None = None) -> int:
        return int(self._ask("count", codec.filters_json(filters)))

    def scroll(self, *, filters: Filters | None = None) -> Iterator[SemanticChunk]:
        read_filters(filters)  # a wrong one is refused before the first chunk is asked for
        return map(codec.chunk_from, self._stream("scroll", codec.filters_json(filters)))

    def points(self, ids: Sequence[str] | None = None) -> Iterator[StoredPoint]:
        return map(codec.point_from, self._stream("points", None if ids is None else list(ids)))

    def embed_hashes(self, document_id: str) -> Mapping[str, str]:
        found: dict[str, str] = self._ask("embed_hashes", document_id)
        return found

    def create(self, models: CollectionModels) -> None:
        self._ask("create", codec.models_json(models))

    def upsert(self, chunks: Sequence[SemanticChunk]) -> None:
        """See `ChunkStore`; of very many chunks, as many as go into a message are checked together."""
        for batch in batches(chunks, _WRITTEN_AT_ONCE):
            self._ask("upsert", codec.chunks_json(batch))

    def delete(self, ids: Sequence[str]) -> None:
        self._ask("delete", list(ids))

    def optimize(self) -> None:
        """Leave it to a process that has the collection to itself: the owner answers others meanwhile."""
        logger.info("%s is not optimised while another process serves it", self._location)

    def erase(self) -> None:
        self._ask("erase", None)

    def flush(self) -> None:
        self._ask("flush", None)

    def close(self) -> None:
        """Let go, and let others write; calling it twice is fine."""
        self._is_closed = True
        if self._direct is not None:
            self._direct.close()
        self._hang_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _ask(self, name: str, given: Json) -> Any:
        """The result as JSON, of the owner, or of this process where the owner is gone."""
        self._require_open()
        with self._turn:
            for _ in range(2):  # a broken connection is made anew once
                try:
                    return self._ask_either(name, given)
                except OwnerGoneError:
                    self._hang_up()
            raise self._away()

    def _ask_either(self, name: str, given: Json) -> Any:
        if self._direct is None and self._connection is None:
            self._reconnect()
        if self._direct is not None:
            return CALLS[name].do(self._direct, given)
        return self._ask_owner(name, given)

    def _reconnect(self) -> None:
        """To another owner, or own it: the next one that comes finds this process."""
        try:
            if self._claims:
                self._ask_owner("claim", None)
            else:
                self._ask_owner("location", None)
        except OwnerGoneError:
            self._hang_up()
            try:
                self._direct = self._open_directly()
            except StoreBusyError as error:
                raise self._away() from error
            logger.warning("The process that owned %s has ended: it is opened here", self._location)

    def _ask_owner(self, name: str, given: Json) -> Any:
        if self._connection is None:
            self._connection = self._connect()
        return _exchange(self._connection, name, given)

    def _stream(self, name: str, given: Json) -> Iterator[Json]:
        """On a connection of its own: other calls may come between two batches."""
        self._require_open()
        if self._direct is not None:
            yield from STREAMS[name].do(self._direct, given)
            return
        try:
            with self._connect() as connection:
                batch = _exchange(connection, name, given)
                while batch is not None:
                    yield from batch
                    batch = _result(connection)
        except OwnerGoneError as error:
            raise self._away() from error

    def _connect(self) -> socket.socket:
        connection = connect_to(self._path)
        if connection is None:
            raise OwnerGoneError(str(self._path))
        return connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _require_open(self) -> None:
        if self._is_closed:
            raise StoreError(f"The collection {self._location!r} is closed.")

    def _away(self) -> StoreAwayError:
        return StoreAwayError(f"The process that owns the collection {self._location!r} does not answer.")


def _exchange(connection: socket.socket, name: str, given: Json) -> Any:
    try:
        send(connection, {"call": name, "given": given})
    except OSError as error:
        raise OwnerGoneError(str(error)) from error
    return _result(connection)


def _result(connection: socket.socket) -> Any:
    try:
        answer = receive(connection)
    except (OSError, ValueError) as error:
        raise OwnerGoneError(str(error)) from error
    if answer is None:
        raise OwnerGoneError("the connection ended")
    if "error" in answer:
        raise codec.error_from(answer["error"])
    return answer["result"]
