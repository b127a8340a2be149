"""The bundled models, built once for all tests of this folder, and a model hub on loopback."""

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.onnx.bert_models import encoder_model
from ragcrawler.embedding.onnx.build_once import build_once
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE, WEIGHTS
from ragcrawler.embedding.onnx.bundled_build import built_folder
from ragcrawler.embedding.onnx.safetensors_file import read_tensors
from ragcrawler.embedding.selection import select_models


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared by the processes of a run: what one has built, the others find."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "models"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def config(models_dir: Path) -> EmbeddingConfig:
    return EmbeddingConfig(cache_dir=models_dir, hub_cache_dirs=(models_dir / "hub",), offline=True)


@pytest.fixture(scope="session")
def bundled(config: EmbeddingConfig) -> Embedders:
    selection = select_models("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny", None, config)
    return open_embedders(selection, config)


@pytest.fixture(scope="session")
def shallow_folder(config: EmbeddingConfig, models_dir: Path) -> Path:
    """The dense model with one of its six layers: enough where any real model does."""
    built = built_folder(BUNDLED_DENSE, config.cache_dir).path

    def write(folder: Path) -> None:
        shutil.copytree(built, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("model.onnx"))
        layers = json.loads((built / "config.json").read_text()) | {"num_hidden_layers": 1}
        model = encoder_model(read_tensors(BUNDLED_DENSE.file(WEIGHTS).path), layers)
        (folder / "model.onnx").write_bytes(model.SerializeToString())

    build_once(models_dir / "shallow", write, "shallow")
    return models_dir / "shallow"


OpenHub = Callable[[Mapping[str, Path]], AbstractContextManager["HubDouble"]]


@pytest.fixture
def open_hub() -> OpenHub:
    return hub_double


COMMIT = "0123456789abcdef0123456789abcdef01234567"


class HubDouble(ThreadingHTTPServer):
    """The part of a hub's HTTP interface that a probe and a download use, over one folder a repository."""

    daemon_threads = True

    def __init__(self, repositories: Mapping[str, Path]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repositories = repositories

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def hub_double(repositories: Mapping[str, Path]) -> Iterator[HubDouble]:
    """A hub that runs as long as the context."""
    with HubDouble(repositories) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: HubDouble

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, *, with_body: bool) -> None:
        path = self.path.partition("?")[0].removeprefix("/api/models")
        for repository, folder in self.server.repositories.items():
            if path.startswith(f"/{repository}/resolve/"):
                self._file(folder / path.split("/", 5)[5], with_body)
                return
            if path.startswith(f"/{repository}"):
                listing = _tree(folder) if "/tree/" in path else {"id": repository, "sha": COMMIT}
                self._send(json.dumps(listing).encode(), with_body)
                return
        self.send_error(404)

    def _file(self, path: Path, with_body: bool) -> None:
        if path.is_file():
            self._send(path.read_bytes(), with_body)
        else:
            self.send_error(404)

    def _send(self, content: bytes, with_body: bool) -> None:
        self.send_response(200)
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if with_body:
            self.wfile.write(content)


def _tree(folder: Path) -> list[dict[str, object]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [
        {
            "type": "file",
            "path": path.relative_to(folder).as_posix(),
            "size": path.stat().st_size,
            "oid": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in files
    ]
