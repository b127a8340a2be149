"""How many processes convert, by where the models run and by what the machine has."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragcrawler.bootstrap import worker_count as module
from ragcrawler.bootstrap.worker_count import worker_count
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.embedding.batch_limits import BatchLimits

GIB = 2**30


def embedders(dense: str, sparse: str) -> Any:
    """What is asked of the models: on what they run."""

    def on(resource: str) -> Any:
        return SimpleNamespace(limits=BatchLimits(1, 512, 1, 512, resource=resource))

    return SimpleNamespace(dense=on(dense), sparse=on(sparse))


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "usable_cpus", lambda: 8)
    monkeypatch.setattr(module, "usable_memory_bytes", lambda: 64 * GIB)


def count(tmp_path: Path, models: Any, *, embeds: bool = True, **settings: Any) -> int:
    values = {**project_settings(), "OUTPUT_DIR": str(tmp_path), **settings}
    return worker_count(Configuration.from_settings(values), models, embeds=embeds)


@pytest.mark.parametrize(
    ("dense", "sparse", "workers"),
    [
        ("cpu", "cpu", 1),
        ("remote", "cpu", 1),
        ("cpu", "hashing", 1),
        ("remote", "hashing", 8),
        ("hashing", "hashing", 8),
        ("gpu", "gpu", 8),
    ],
)
def test_the_cpus_are_left_to_models_that_run_on_them(
    tmp_path: Path, dense: str, sparse: str, workers: int
) -> None:
    assert count(tmp_path, embedders(dense, sparse)) == workers


def test_a_dry_run_embeds_nothing_and_has_all_cpus(tmp_path: Path) -> None:
    assert count(tmp_path, embedders("cpu", "cpu"), embeds=False) == 8


def test_a_number_that_is_set_holds(tmp_path: Path) -> None:
    assert count(tmp_path, embedders("cpu", "cpu"), PREPARATION_WORKERS=3) == 3
    assert count(tmp_path, embedders("remote", "hashing"), PREPARATION_WORKERS=20) == 20


def test_models_inside_the_workers_are_loaded_once(tmp_path: Path) -> None:
    assert count(tmp_path, embedders("remote", "hashing"), CHUNK_STRATEGY="semantic") == 1


@pytest.mark.parametrize(("gibibytes", "workers"), [(2, 1), (6, 1), (7, 2), (16, 5), (64, 8)])
def test_all_workers_at_their_limit_fit_into_the_memory_beside_a_gibibyte_for_the_crawl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gibibytes: int, workers: int
) -> None:
    monkeypatch.setattr(module, "usable_memory_bytes", lambda: gibibytes * GIB)
    assert count(tmp_path, embedders("remote", "hashing")) == workers
