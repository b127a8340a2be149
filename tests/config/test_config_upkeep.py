"""The configuration of upkeep: the catalogue's place, its limits, and settings that are refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.bootstrap.catalogue_place import catalogue_file
from ragcrawler.bootstrap.preparation import Preparation
from ragcrawler.bootstrap.preparation_fingerprint import preparation_fingerprint
from ragcrawler.chunking import ChunkingConfig
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError
from ragcrawler.conversion import ConversionLimits


def configured(**settings: Any) -> Configuration:
    return Configuration.from_settings(project_settings(OUTPUT_DIR="out", **{"QDRANT_URL": "", **settings}))


def test_every_collection_has_a_catalogue_of_its_own() -> None:
    here = catalogue_file(configured())
    assert here == Path("out/catalogue/ragcrawler.sqlite")
    others = [
        catalogue_file(configured(QDRANT_COLLECTION="guides")),
        catalogue_file(configured(QDRANT_FOLDER="elsewhere")),
        catalogue_file(configured(QDRANT_URL="http://a.example:6333")),
        catalogue_file(configured(QDRANT_URL="http://b.example:6333")),
        catalogue_file(configured(QDRANT_URL="http://b.example:6333", QDRANT_COLLECTION="guides")),
    ]
    assert len({here, *others}) == 6
    assert {path.parent for path in others} == {here.parent}
    assert catalogue_file(configured(QDRANT_URL="http://a.example:6333/")) == others[2]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GONE_AFTER", 0),
        ("GONE_AFTER", "soon"),
        ("DELETE_BRAKE", 0),
        ("DELETE_BRAKE", 101),
        ("STORE_WAIT_SECONDS", -1),
    ],
)
def test_settings_of_deletion_and_waiting_are_refused_where_they_cannot_be(name: str, value: object) -> None:
    with pytest.raises(SettingError, match=name):
        configured(**{name: value})


@pytest.fixture
def preparation(tmp_path: Path) -> Preparation:
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text("{}", encoding="utf-8")
    return Preparation(ConversionLimits(), ChunkingConfig(model="a+b"), tokenizer, 512)


def test_pages_are_prepared_anew_where_anything_of_their_preparation_changed(
    preparation: Preparation, tmp_path: Path
) -> None:
    other_tokenizer = tmp_path / "other.json"
    other_tokenizer.write_text('{"version": "2"}', encoding="utf-8")
    changed = [
        replace(preparation, limits=ConversionLimits(max_pages=7)),
        replace(preparation, chunking=ChunkingConfig(model="a+c")),
        replace(preparation, chunking=ChunkingConfig(model="a+b", target_tokens=200)),
        replace(preparation, limit_tokens=256),
        replace(preparation, tokenizer=other_tokenizer),
    ]
    first = preparation_fingerprint(preparation)
    assert preparation_fingerprint(replace(preparation)) == first
    assert len({first, *map(preparation_fingerprint, changed)}) == 6


@pytest.mark.parametrize("part", ["CONVERTER_VERSION", "CHUNKER_VERSION"])
def test_pages_are_prepared_anew_by_another_version_of_what_prepares_them(
    preparation: Preparation, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    before = preparation_fingerprint(preparation)
    monkeypatch.setattr(f"ragcrawler.bootstrap.preparation_fingerprint.{part}", "another")
    assert preparation_fingerprint(preparation) != before
