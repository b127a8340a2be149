"""All settings as one typed value."""

from pathlib import Path

import pytest

from ragcrawler.chunking import ChunkingConfig
from ragcrawler.chunking.config import PROFILES
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError
from ragcrawler.config.models.chunking import ChunkSizes

DERIVED = ChunkSizes(None, None, None, None)


def test_the_project_settings_are_right() -> None:
    configuration = Configuration.from_settings(project_settings(OUTPUT_DIR="out"))
    assert configuration.output_folder == Path("out")
    assert configuration.store.folder == Path("out/qdrant")
    assert configuration.dense_model == "auto"


@pytest.mark.parametrize(("limit", "sizes"), [(510, (400, 480, 100, 50)), (254, (200, 240, 50, 25))])
def test_chunk_sizes_follow_from_the_models_limit(limit: int, sizes: tuple[int, ...]) -> None:
    config = DERIVED.config(limit, ChunkingConfig())
    assert (config.target_tokens, config.max_tokens, config.min_tokens, config.overlap_tokens) == sizes


def test_sizes_that_are_set_stay() -> None:
    config = ChunkSizes(120, 150, 30, 0).config(510, ChunkingConfig())
    assert (config.target_tokens, config.max_tokens, config.min_tokens, config.overlap_tokens) == (
        120,
        150,
        30,
        0,
    )


@pytest.mark.parametrize(
    ("sizes", "limit", "expected"),
    [
        ((None, None, None, None), 8191, (950, 1000, 100, 50)),
        ((None, None, None, None), 254, (254, 254, 100, 50)),
        ((None, 600, None, 0), 8191, (600, 600, 100, 0)),
    ],
)
def test_the_profile_firecrawl_has_sizes_of_its_own_as_far_as_the_model_reads(
    sizes: tuple[int | None, ...], limit: int, expected: tuple[int, ...]
) -> None:
    config = ChunkSizes(*sizes, profile="firecrawl").config(limit, PROFILES["firecrawl"])
    assert (
        config.target_tokens,
        config.max_tokens,
        config.min_tokens,
        config.overlap_tokens,
    ) == expected


@pytest.mark.parametrize(
    ("chosen", "strategy", "code_policy"),
    [
        ({}, "structure", "lines"),
        ({"CHUNK_PROFILE": "firecrawl"}, "sections", "keep"),
        ({"CHUNK_PROFILE": "firecrawl", "CHUNK_STRATEGY": "size"}, "size", "keep"),
        ({"CHUNK_PROFILE": "structure", "CHUNK_CODE_POLICY": "keep"}, "structure", "keep"),
    ],
)
def test_what_is_set_goes_before_the_profile(chosen: dict[str, str], strategy: str, code_policy: str) -> None:
    chunking = Configuration.from_settings(project_settings(**chosen)).chunking
    assert (chunking.strategy, chunking.code_policy) == (strategy, code_policy)


@pytest.mark.parametrize(
    ("sizes", "name"),
    [
        (ChunkSizes(None, 900, None, None), "CHUNK_MAX_TOKENS"),
        (ChunkSizes(300, 200, None, None), "CHUNK_TARGET_TOKENS"),
    ],
)
def test_sizes_that_contradict_the_model_or_each_other_are_refused(sizes: ChunkSizes, name: str) -> None:
    with pytest.raises(SettingError, match=name):
        sizes.config(510, ChunkingConfig())


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"DOCLING_ARTIFACTS_PATH": "/no/such/folder"}, "DOCLING_ARTIFACTS_PATH"),
        ({"PDF_OCR": "True"}, "PDF_OCR"),
        ({"CHUNK_PROFILE": "003"}, "CHUNK_PROFILE is '003'.*auto, structure, firecrawl"),
        ({"TRUNCATION_BUFFER": -1}, "TRUNCATION_BUFFER"),
        ({"CHUNK_STRATEGY": "magic"}, "CHUNK_STRATEGY"),
        ({"PREPARATION_WORKERS": -1}, "PREPARATION_WORKERS"),
        ({"HUB_TIMEOUT_SECONDS": "never"}, "HUB_TIMEOUT_SECONDS"),
        ({"NO_SUCH_SETTING": 1}, "NO_SUCH_SETTING"),
        ({"QDRANT_QUANTIZATION": "binary"}, "QDRANT_QUANTIZATION is 'binary'.*none, scalar"),
        ({"QDRANT_CA_FILE": "/no/such.pem"}, "QDRANT_CA_FILE"),
        ({"QDRANT_CA_FILE": __file__, "QDRANT_PREFER_GRPC": "1"}, "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"),
        ({"QDRANT_GRPC_PORT": "0"}, "QDRANT_GRPC_PORT"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, object], name: str) -> None:
    with pytest.raises(SettingError, match=name):
        Configuration.from_settings(project_settings(**settings))


def test_the_settings_of_the_store_arrive() -> None:
    store = Configuration.from_settings(
        project_settings(
            QDRANT_QUANTIZATION="scalar",
            QDRANT_ON_DISK="1",
            QDRANT_PREFER_GRPC="yes",
            QDRANT_GRPC_PORT="7334",
        )
    ).store
    assert (store.quantization, store.on_disk, store.prefer_grpc, store.grpc_port) == (
        "scalar",
        True,
        True,
        7334,
    )


def test_the_key_of_the_store_is_in_no_repr() -> None:
    configuration = Configuration.from_settings(project_settings(QDRANT_API_KEY="s3cret"))
    assert "s3cret" not in repr(configuration)
