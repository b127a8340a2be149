"""The bundled models, built once for all tests of this folder."""

from pathlib import Path

import pytest

from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import Embedders, open_embedders
from ragcrawler.embedding.selection import select_models


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def config(models_dir: Path) -> EmbeddingConfig:
    return EmbeddingConfig(cache_dir=models_dir, hub_cache_dirs=(models_dir / "hub",), offline=True)


@pytest.fixture(scope="session")
def bundled(config: EmbeddingConfig) -> Embedders:
    selection = select_models("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny", None, config)
    return open_embedders(selection, config)
