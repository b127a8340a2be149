"""`scrapy doctor` looks at the collection: it opens, store and catalogue agree, and samples read back."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.maintenance.doctor import PROBES
from ragcrawler.maintenance.doctor.collection import look
from ragcrawler.run.indexing.synchronise import synchronise
from ragcrawler.stores import open_store
from tests.maintenance.test_maintenance_verification import MODELS, document

SECONDS = 5.0


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, Any]:
    """Of a collection of two documents with six passages each."""
    models = {"EMBEDDING_MODEL": MODELS.dense, "SPARSE_EMBEDDING_MODEL": MODELS.sparse}
    values = dict(project_settings(OUTPUT_DIR=str(tmp_path), QDRANT_URL="", HF_ENDPOINT="", **models))
    configuration = Configuration.from_settings(values)
    with open_store(configuration.store) as store, catalogue_place(configuration).open() as catalogue:
        store.create(MODELS)
        synchronise(store, catalogue, [document(1), document(2)])
    return values


def test_a_whole_collection_is_read_back_by_a_process_of_its_own(settings: dict[str, Any]) -> None:
    finding = PROBES["collection"](settings, SECONDS)
    assert finding.state == "ok", finding
    assert finding.found.startswith("2 documents, 12 passages, hashing/384 and hashing/sparse; 12 passages ")


def _forget_a_point(settings: dict[str, Any]) -> None:
    with open_store(Configuration.from_settings(settings).store) as store:
        store.delete([document(1).chunks[0].id])


def _change_a_payload(settings: dict[str, Any]) -> None:
    with open_store(Configuration.from_settings(settings).store) as store:
        store.upsert([replace(document(2).chunks[3], section_title="Other", vectors=None)])


def _lose_the_store(settings: dict[str, Any]) -> None:
    shutil.rmtree(Path(settings["OUTPUT_DIR"], "qdrant"))


def _come_from_the_future(settings: dict[str, Any]) -> None:
    path = Path(settings["OUTPUT_DIR"], "catalogue", "ragcrawler.sqlite")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 999")


def _damage_the_store(settings: dict[str, Any]) -> None:
    for path in Path(settings["OUTPUT_DIR"], "qdrant").rglob("*.json"):
        path.write_text("{", "utf-8")


def _want_another_model(settings: dict[str, Any]) -> None:
    settings["EMBEDDING_MODEL"] = "hashing/128"


@pytest.mark.parametrize(
    ("harm", "state", "found", "todo"),
    [
        (_forget_a_point, "warning", "the store has 11 passages, and the catalogue knows 12", "--repair"),
        (_change_a_payload, "failed", "1 faults among 12 of them, the first: wrong_payload of", "--repair"),
        (_lose_the_store, "failed", "the catalogue has 2 documents, and the store is gone", "--rebuild"),
        (_come_from_the_future, "failed", "the catalogue: ", "docs/index.md"),
        (_damage_the_store, "failed", "the store: ", "--rebuild"),
        (_want_another_model, "failed", "hashing/128", "docs/embedding.md"),
    ],
)
def test_what_is_wrong_is_said_with_what_mends_it(
    settings: dict[str, Any], harm: Callable[[dict[str, Any]], None], state: str, found: str, todo: str
) -> None:
    harm(settings)
    finding = look(settings, SECONDS)
    assert (finding.state, found in finding.found, todo in finding.todo) == (state, True, True), finding


def test_a_collection_that_another_process_has_is_left_alone(settings: dict[str, Any]) -> None:
    with open_store(Configuration.from_settings(settings).store):
        finding = PROBES["collection"](settings, SECONDS)
    assert finding.state == "warning", finding
    assert f"id {os.getpid()}" in finding.found
