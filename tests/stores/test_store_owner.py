"""A collection that one process owns and others use: who writes, and what happens when the owner dies."""

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.items import SemanticChunk
from ragcrawler.server.services.collection import share_store
from ragcrawler.stores import (
    ChunkStore,
    CollectionModels,
    StoreAwayError,
    StoreBusyError,
    StoreConfig,
    StoreError,
    open_store,
)
from ragcrawler.stores.owner.frames import receive, send
from ragcrawler.stores.owner.owned_store import OwnedStore
from ragcrawler.stores.owner.socket_file import connect_to, listen_at, socket_file
from ragcrawler.stores.qdrant_embedded.store import QdrantEdgeStore

MakeChunk = Callable[..., SemanticChunk]
Own = Callable[[StoreConfig], ChunkStore]

OWNER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from ragcrawler.stores import StoreConfig, open_store
from ragcrawler.server.services.collection import share_store
executor = ThreadPoolExecutor(1)
config = StoreConfig(folder=Path(sys.argv[1]), collection="kept", claims=True)
store = executor.submit(open_store, config).result()
sharing = share_store(store, executor)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def config(tmp_path: Path) -> StoreConfig:
    return StoreConfig(folder=tmp_path, collection="kept")


@pytest.fixture
def own() -> Iterator[Own]:
    """Own a collection and share it; gives the store."""
    closing: list[Callable[[], object]] = []

    def make(config: StoreConfig) -> ChunkStore:
        executor = ThreadPoolExecutor(1)
        store = executor.submit(open_store, replace(config, claims=True), may_share=False).result()
        sharing = share_store(store, executor)
        assert sharing is not None
        closing.extend([lambda: executor.submit(store.close).result(), sharing.close])
        return store

    yield make
    for close in reversed(closing):
        close()


def test_the_socket_is_for_its_user_alone_whatever_the_mask_says(config: StoreConfig, own: Own) -> None:
    before = os.umask(0)
    try:
        own(config)
    finally:
        os.umask(before)
    mode = socket_file(config.folder / config.collection).stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


def test_what_one_process_writes_another_finds_at_once(
    config: StoreConfig, own: Own, collection_models: CollectionModels, make_chunk: MakeChunk
) -> None:
    own(config)
    with open_store(replace(config, claims=True)) as writer, open_store(config) as reader:
        assert isinstance(writer, OwnedStore)
        assert reader.models() is None
        writer.create(collection_models)
        writer.upsert([make_chunk(number) for number in range(3)])
        assert reader.models() == collection_models
        assert reader.count() == 3
        assert {each.id for each in reader.scroll()} == {make_chunk(number).id for number in range(3)}


def test_one_process_writes_at_a_time_and_others_read(
    config: StoreConfig, own: Own, collection_models: CollectionModels, make_chunk: MakeChunk
) -> None:
    own(config)
    with open_store(config) as other:
        with open_store(replace(config, claims=True)) as writer:
            writer.create(collection_models)
            with pytest.raises(StoreBusyError, match="written by another process"):
                open_store(replace(config, claims=True))
            with pytest.raises(StoreBusyError):
                other.upsert([make_chunk(1)])
            assert other.count() == 0
        upsert_when_free(other, make_chunk(1))
        assert other.count() == 1


def upsert_when_free(store: ChunkStore, chunk: SemanticChunk) -> None:
    """The owner learns of a closed connection in a thread of its own."""
    pause = threading.Event()
    for _ in range(1_000):
        try:
            return store.upsert([chunk])
        except StoreBusyError:
            pause.wait(0.01)
    raise AssertionError("the writer never let go")


def test_reading_in_batches_lets_other_calls_come_between(
    config: StoreConfig, own: Own, collection_models: CollectionModels, make_chunk: MakeChunk
) -> None:
    own(config)
    with open_store(replace(config, claims=True)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(number) for number in range(200)])
        for number, point in enumerate(store.points()):
            if number % 50 == 0:
                assert store.get([point.id])[0].id == point.id
        next(iter(store.scroll()))  # left off in the middle
        assert store.count() == 200


def test_an_owner_that_is_killed_leaves_nothing_in_the_way(
    config: StoreConfig, collection_models: CollectionModels, make_chunk: MakeChunk
) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(config.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert owner.stdout is not None
    assert owner.stdout.readline() == b"ready\n"
    with open_store(replace(config, claims=True)) as store:
        store.create(collection_models)
        store.upsert([make_chunk(1)])
        os.kill(owner.pid, signal.SIGKILL)
        owner.communicate()
        assert socket_file(config.folder / config.collection).exists()
        store.upsert([make_chunk(2)])  # this process has taken over
        store.flush()
        assert store.count() == 2
        assert len(list(store.scroll())) == 2
    with open_store(config) as store:
        assert isinstance(store, QdrantEdgeStore)
        assert store.count() == 2


def test_an_owner_that_ended_and_another_that_begins_go_unnoticed(
    config: StoreConfig, collection_models: CollectionModels
) -> None:
    first, second = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
    for_owner = replace(config, claims=True)
    store = first.submit(open_store, for_owner).result()
    sharing = share_store(store, first)
    assert sharing is not None
    with open_store(config) as reader:
        reader.create(collection_models)
        sharing.close()
        first.submit(store.close).result()
        store = second.submit(open_store, for_owner).result()
        with pytest.raises(StoreAwayError):
            reader.count()  # it is not shared yet
        sharing = share_store(store, second)
        assert sharing is not None
        assert reader.count() == 0
        sharing.close()
        second.submit(store.close).result()


def test_what_is_not_shared_is_busy(config: StoreConfig) -> None:
    with open_store(replace(config, claims=True)), pytest.raises(StoreBusyError, match="scrapy serve"):
        open_store(replace(config, claims=True))


def test_a_client_that_talks_nonsense_harms_nobody(config: StoreConfig, own: Own) -> None:
    own(config)
    path = socket_file(config.folder / config.collection)
    for nonsense in (
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x02[]",
        b"\x00\x00\x00\x05null",
        b"GET / HTTP/1.1\r\n",
    ):
        connection = connect_to(path)
        assert connection is not None
        with connection:
            connection.sendall(nonsense)
            with suppress(ConnectionResetError):
                connection.shutdown(socket.SHUT_WR)
                assert connection.recv(1) == b""
    connection = connect_to(path)
    assert connection is not None
    with connection:
        send(connection, {"call": "close", "given": None})
        assert receive(connection)["error"][0] == "StoreError"
    with open_store(config) as store:
        assert store.models() is None


def test_errors_come_through_as_they_are(
    config: StoreConfig, own: Own, collection_models: CollectionModels, make_chunk: MakeChunk
) -> None:
    own(config)
    with open_store(config) as store:
        with pytest.raises(StoreError, match="does not exist"):
            store.count()
        store.create(collection_models)
        with pytest.raises(StoreError, match="other models"):
            store.create(replace(collection_models, dense="another"))


def test_paths_may_be_long(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 100) / ("b" * 100)
    folder.mkdir(parents=True)
    path = socket_file(folder / ("c" * 128))
    with listen_at(path):
        connection = connect_to(path)
        assert connection is not None
        connection.close()
    assert connect_to(path) is None
    assert connect_to(tmp_path / "none" / "x.sock") is None
