"""`scrapy search` while a server owns the collection: the server embeds the question."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.bootstrap import StartError, open_retriever
from ragcrawler.bootstrap.models import lazy_embedders
from ragcrawler.embedding.families.hashing_embedders import HASHING_DENSE, HASHING_SPARSE
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.stores.owner.owned_store import OwnedStore
from tests.server.library import fill, settings

QUESTION = "how are the logs rotated?"
# Asked for with "auto", the models are those that the collection remembers.
REMEMBERED = {"EMBEDDING_MODEL": "auto", "SPARSE_EMBEDDING_MODEL": "auto"}
# What a search may import only for a model of its own, or to print for people.
LATER = (
    "docling",
    "fastembed",
    "grpc",
    "httpx",
    "markdown_it",
    "numpy",
    "onnxruntime",
    "pandas",
    "qdrant_client",
    "qdrant_edge",
    "ragcrawler.chunking.chunker",
    "ragcrawler.frontier.frontier",
    "rich",
    "tokenizers",
    "torch",
    "trafilatura",
)
SEARCH = f"""
import sys
from scrapy.cmdline import execute
try:
    execute(["scrapy", "search", *sys.argv[1:]])
except SystemExit as end:
    assert not end.code
sys.stderr.write(" ".join(name for name in {LATER!r} if name in sys.modules))
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("owned")
    fill(folder)
    return folder


@pytest.fixture
def served(output: Path) -> Iterator[ServedCollection]:
    with ServedCollection.open(settings(output)) as collection:
        yield collection


def client_settings(output: Path, **changes: Any) -> dict[str, Any]:
    return settings(output, **{**REMEMBERED, **changes})


@pytest.fixture
def no_models(monkeypatch: pytest.MonkeyPatch, served: ServedCollection) -> None:
    """No model can be opened from now on; those of the server are open already."""

    def refuse(*_: object) -> None:
        raise EmbeddingError("no model is at hand")

    retriever = served.retriever()
    assert retriever is not None
    retriever.search("warm up", 1)
    monkeypatch.setattr(lazy_embedders, "select_models", refuse)


@pytest.mark.parametrize("mode", ["hybrid", "dense", "sparse", "bm25"])
def test_hits_are_the_same_with_and_without_a_server(output: Path, mode: Any) -> None:
    with open_retriever(**client_settings(output)) as alone:
        expected = alone.search(QUESTION, 4, mode=mode)
    with ServedCollection.open(settings(output)), open_retriever(**client_settings(output)) as beside:
        assert isinstance(beside.store, OwnedStore)
        assert beside.search(QUESTION, 4, mode=mode) == expected
    assert len(expected) > 1


@pytest.mark.usefixtures("no_models")
def test_beside_a_server_no_model_is_opened(output: Path) -> None:
    with open_retriever(**client_settings(output)) as retriever:
        assert retriever.search(QUESTION, 1)[0].chunk.section_path == ("Guide", "Logs")


@pytest.mark.usefixtures("no_models")
def test_a_model_that_the_settings_name_is_not_left_to_the_server(output: Path) -> None:
    other = client_settings(output, EMBEDDING_MODEL="bundled/all-MiniLM-L6-v2")
    with open_retriever(**other) as retriever, pytest.raises(StartError, match="no model is at hand"):
        retriever.search(QUESTION, 1)


def test_an_owner_without_models_leaves_the_question_to_whoever_asks(
    output: Path, served: ServedCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served._sharing, "_embed", None)
    with open_retriever(**client_settings(output)) as retriever:
        assert len(retriever.search(QUESTION, 2)) == 2


def test_a_question_survives_the_end_of_the_server(output: Path) -> None:
    with ServedCollection.open(settings(output)) as collection:
        retriever = open_retriever(**client_settings(output))
        first = retriever.search(QUESTION, 2)
        assert collection.store.count()
    with retriever:
        assert retriever.search(QUESTION, 2) == first


@pytest.mark.usefixtures("served")
def test_the_command_beside_a_server_imports_nothing_heavy(output: Path) -> None:
    models = [f"EMBEDDING_MODEL={HASHING_DENSE.name}", f"SPARSE_EMBEDDING_MODEL={HASHING_SPARSE.name}"]
    given = [part for each in (f"OUTPUT_DIR={output}", *models) for part in ("-s", each)]
    ended = subprocess.run(
        [sys.executable, "-c", SEARCH, QUESTION, "--json", "--limit", "2", *given],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert [json.loads(line)["rank"] for line in ended.stdout.splitlines()] == [1, 2]
    assert ended.stderr == ""
