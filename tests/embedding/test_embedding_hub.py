"""The hub: whether it answers is known in bounded time, and what it holds is fetched once."""

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.hub.models import hub_models
from ragcrawler.embedding.hub.probe import HttpHubProbe, NoHub
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE, BUNDLED_SPARSE
from ragcrawler.embedding.onnx.bundled_build import built_folder
from ragcrawler.embedding.onnx.model_folder import file_hash
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.embedding.selection import ModelSelection, select_models

REPOSITORY = "Qdrant/Splade_PP_en_v1"


@contextmanager
def server_that_says(answer: bytes, *, pause_seconds: float | None = None) -> Iterator[tuple[str, list[int]]]:
    """A server that sends these bytes to each caller and hangs up, or the first one again and again."""
    callers: list[int] = []
    done = threading.Event()

    def speak(connection: socket.socket) -> None:
        with connection:
            while not done.is_set():
                try:
                    connection.sendall(answer if pause_seconds is None else answer[:1])
                except OSError:
                    return
                if pause_seconds is None:
                    return
                done.wait(pause_seconds)

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            callers.append(1)
            threading.Thread(target=speak, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", callers
        done.set()
        listener.shutdown(socket.SHUT_RDWR)


def test_a_hub_offers_what_it_has(open_hub: Any, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with open_hub({REPOSITORY: tmp_path}) as hub:
        probe = HttpHubProbe(hub.address, 5)
        assert probe.offers(REPOSITORY)
        assert not probe.offers("somebody/else")
        assert probe.offers(REPOSITORY)


@pytest.mark.parametrize(
    ("answer", "offers"),
    [
        (b"HTTP/1.1 307 Moved\r\nLocation: /elsewhere\r\nX-Repo-Commit: abc\r\n\r\n", True),
        (b"HTTP/1.1 302 Found\r\nLocation: http://login.invalid/\r\n\r\n", False),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>Please log in to this network</h1>", False),
        (b"HTTP/1.1 401 Unauthorized\r\nX-Repo-Commit: abc\r\n\r\n", False),
        (b"HTTP/1.1 500 Oops\r\n\r\n", False),
        (b"what?", False),
        (b"", False),
    ],
    ids=["moved", "portal redirect", "portal page", "private", "broken", "no HTTP", "hangs up"],
)
def test_only_the_answer_of_a_hub_counts(answer: bytes, offers: bool) -> None:
    with server_that_says(answer) as (address, _):
        assert HttpHubProbe(address, 5).offers(REPOSITORY) is offers


def test_a_hub_that_sends_a_byte_now_and_then_is_given_up_and_not_asked_again() -> None:
    with server_that_says(b"H", pause_seconds=0.01) as (address, callers):
        probe = HttpHubProbe(address, 0.3)
        assert not probe.offers(REPOSITORY)
        assert not probe.offers(REPOSITORY)
        assert len(callers) == 1


def test_a_hub_that_breaks_off_is_not_asked_again() -> None:
    with server_that_says(b"") as (address, callers):
        probe = HttpHubProbe(address, 5)
        assert not probe.offers(REPOSITORY)
        assert not probe.offers(REPOSITORY)
        assert len(callers) == 1


def test_a_refused_connection_is_no_hub() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert not HttpHubProbe(f"http://127.0.0.1:{port}", 5).offers(REPOSITORY)


def test_offline_no_hub_offers_anything() -> None:
    assert not NoHub().offers(REPOSITORY)


def test_models_are_fetched_once_and_then_read_from_the_cache(
    open_hub: Any,
    config: EmbeddingConfig,
    bundled: Embedders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)  # the hub is on loopback
    dense, sparse = (built_folder(model, config.cache_dir).path for model in (BUNDLED_DENSE, BUNDLED_SPARSE))
    names = ("sentence-transformers/all-MiniLM-L6-v2", "prithivida/Splade_PP_en_v1")
    with open_hub({"Qdrant/all-MiniLM-L6-v2-onnx": dense, REPOSITORY: sparse}) as hub:
        online = replace(config, hub_cache_dirs=(tmp_path,), hub_endpoint=hub.address, offline=False)
        fetched = open_embedders(select_models(names[0], "auto", None, online), online)
    offline = replace(online, offline=True)
    cached = open_embedders(select_models(names[0], "auto", None, offline), offline)
    for opened in (fetched, cached):
        assert (opened.dense.description.name, opened.sparse.description.name) == names
        assert opened.dense.description.fingerprint == file_hash(dense / "model.onnx")
        assert opened.dense.embed_query("log") == pytest.approx(bundled.dense.embed_query("log"), abs=1e-6)
        assert opened.sparse.embed_query("log") == bundled.sparse.embed_query("log")


def test_a_hub_model_may_call_its_weights_otherwise(
    open_hub: Any,
    config: EmbeddingConfig,
    shallow_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The weights are another model's of the same size; it is the way to them that counts.
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    source = shallow_folder
    repository = tmp_path / "repository"
    shutil.copytree(source, repository, ignore=shutil.ignore_patterns("model.onnx", "1_Pooling"))
    (repository / "model_optimized.onnx").hardlink_to(source / "model.onnx")
    with open_hub({"Qdrant/bge-small-en-v1.5-onnx-Q": repository}) as hub:
        online = replace(config, hub_cache_dirs=(tmp_path / "hub",), hub_endpoint=hub.address, offline=False)
        selection = select_models("BAAI/bge-small-en-v1.5", "hashing/sparse", None, online)
        description = open_embedders(selection, online).dense.description
    assert (description.dimensions, description.limit_tokens, description.special_tokens) == (384, 512, 2)
    assert description.fingerprint == file_hash(source / "model.onnx")
    small = replace(online, offline=True, precision="int8", cache_dir=tmp_path / "made")
    chosen = select_models("BAAI/bge-small-en-v1.5", "hashing/sparse", None, small)
    in_8_bits, as_it_is = open_embedders(chosen, small).dense, open_embedders(selection, online).dense
    assert in_8_bits.description.name == "BAAI/bge-small-en-v1.5-int8"
    assert len({in_8_bits.description.fingerprint, description.fingerprint, ""}) == 3
    assert np.dot(in_8_bits.embed_query("How logs rotate"), as_it_is.embed_query("How logs rotate")) > 0.98


def test_a_model_that_cannot_be_fetched_is_an_error_that_names_model_and_hub(
    open_hub: Any, config: EmbeddingConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    dense, sparse = (hub_models(kind)[0].description for kind in ("dense", "sparse"))
    with open_hub({}) as hub:
        online = replace(config, hub_cache_dirs=(tmp_path,), hub_endpoint=hub.address, offline=False)
        with pytest.raises(EmbeddingError, match=rf"{dense.name} could not be fetched from {hub.address}"):
            open_embedders(ModelSelection(dense, sparse), online)
