"""The tokenizer of a model at the hub, by its name, from a cache folder."""

from pathlib import Path

import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.tokenizers import hub_limit_tokens, hub_tokenizer, is_hub_name
from ragcrawler.embedding.protocol import EmbeddingError

NAME = "BAAI/bge-base-en-v1.5"
COPY = "Qdrant/bge-base-en-v1.5-onnx-Q"


def put(cache: Path, repository: str) -> Path:
    """A tokenizer in the cache layout of the hub."""
    folder = cache / f"models--{repository.replace('/', '--')}"
    snapshot = folder / "snapshots" / "0123abcd"
    snapshot.mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("0123abcd")
    (snapshot / "tokenizer.json").write_text("{}")
    return snapshot / "tokenizer.json"


@pytest.mark.parametrize(
    ("name", "is_hub"),
    [
        (NAME, True),
        ("tiktoken:cl100k_base", False),
        ("folder/tokenizer.json", False),
        ("./a/b", False),
        ("/a/b", False),
        ("~/b", False),
        ("a/b/c", False),
        ("bge", False),
    ],
)
def test_a_name_of_the_hub_is_told_from_a_path(name: str, is_hub: bool) -> None:
    assert is_hub_name(name) is is_hub


def test_a_folder_of_that_name_goes_before_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / NAME).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert not is_hub_name(NAME)


@pytest.mark.parametrize("repository", [NAME, COPY])
def test_it_is_found_in_any_cache_under_its_name_or_that_of_fastembed_s_copy(
    tmp_path: Path, repository: str
) -> None:
    file = put(tmp_path / "second", repository)
    config = EmbeddingConfig(hub_cache_dirs=(tmp_path / "first", tmp_path / "second"), offline=True)
    assert hub_tokenizer(NAME, config) == file


def test_offline_the_caches_that_lack_it_are_named(tmp_path: Path) -> None:
    config = EmbeddingConfig(hub_cache_dirs=(tmp_path,), offline=True)
    with pytest.raises(EmbeddingError, match=f"some/model is in no cache .*{tmp_path}.*HF_HUB_OFFLINE"):
        hub_tokenizer("some/model", config)


def test_a_hub_that_does_not_answer_is_named(tmp_path: Path) -> None:
    config = EmbeddingConfig(hub_cache_dirs=(tmp_path,), hub_endpoint="http://127.0.0.1:9")
    with pytest.raises(
        EmbeddingError, match=r"could not be fetched from http://127\.0\.0\.1:9 .*give the path"
    ):
        hub_tokenizer("some/model", config)


def test_the_limit_of_a_known_model_is_known() -> None:
    assert (hub_limit_tokens(NAME), hub_limit_tokens("some/model")) == (512, None)
