"""Models are described by their names."""

import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.hub.models import find_hub_model
from ragcrawler.embedding.model_registry import describe, model_names
from ragcrawler.embedding.protocol import EmbeddingError, Kind


@pytest.mark.parametrize(
    ("name", "kind", "dimensions", "limit_tokens"),
    [
        ("BAAI/bge-base-en-v1.5", "dense", 768, 512),
        ("BAAI/bge-small-en-v1.5", "dense", 384, 512),
        ("sentence-transformers/all-MiniLM-L6-v2", "dense", 384, 256),
        ("jinaai/jina-clip-v1", "dense", 768, 8192),
        ("prithivida/Splade_PP_en_v1", "sparse", 0, 512),
        ("bundled/all-MiniLM-L6-v2", "dense", 384, 256),
        ("bundled/splade-tiny", "sparse", 0, 512),
        ("hashing/384", "dense", 384, 512),
        ("hashing/sparse", "sparse", 0, 512),
    ],
)
def test_a_model_is_described_before_it_is_loaded(
    name: str, kind: Kind, dimensions: int, limit_tokens: int
) -> None:
    description = describe(name, kind)
    assert (description.name, description.kind) == (name, kind)
    assert (description.dimensions, description.limit_tokens) == (dimensions, limit_tokens)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_every_known_name_has_a_usable_description(kind: Kind) -> None:
    names = model_names(kind)
    assert len(names) == len(set(names)) > 2
    for name in names:
        description = describe(name, kind)
        assert description.limit_tokens > description.special_tokens
        assert (description.dimensions > 0) is (kind == "dense")


@pytest.mark.parametrize(
    ("name", "kind", "near"),
    [
        ("BAAI/bge-bse-en-v1.5", "dense", "BAAI/bge-base-en-v1.5"),
        ("all-minilm-l6-v2", "dense", "bundled/all-MiniLM-L6-v2"),
        ("bundled/all-MiniLM-L12-v2", "dense", "bundled/all-MiniLM-L6-v2"),
        ("Splade_PP_en_v1", "sparse", "prithivida/Splade_PP_en_v1"),
        ("bundled/all-MiniLM-L6-v2", "sparse", "bundled/splade-tiny"),
        ("", "dense", "hashing/384"),
    ],
)
def test_an_unknown_name_is_an_error_that_lists_near_ones(name: str, kind: Kind, near: str) -> None:
    with pytest.raises(EmbeddingError, match=f"there is no {kind} model") as raised:
        describe(name, kind)
    assert repr(name) in str(raised.value)
    assert near in str(raised.value)


def test_the_hub_s_files_of_a_model_are_known() -> None:
    model = find_hub_model("intfloat/multilingual-e5-large", "dense")
    assert model is not None
    assert model.repository == "Qdrant/multilingual-e5-large-onnx"
    assert {"model.onnx", "model.onnx_data", "tokenizer.json", "config.json"} <= set(model.files)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("device", "tpu"),
        ("batch_tokens", -1),
        ("threads", 0),
        ("hub_timeout_seconds", 0),
        ("hub_cache_dirs", ()),
        ("hub_endpoint", "hub.example.org"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        EmbeddingConfig(**{field: value})  # type: ignore[arg-type]
