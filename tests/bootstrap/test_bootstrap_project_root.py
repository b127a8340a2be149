"""Where `.env` and `output/` belong, from whichever folder one calls."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError

NAMES = ("RAGCRAWLER_ROOT", "OUTPUT_DIR", "QDRANT_FOLDER", "QDRANT_COLLECTION", "EMBEDDING_CACHE_PATH")
PROGRAM = f"""
import json
from ragcrawler import settings
print(json.dumps([getattr(settings, name) for name in {NAMES}]))
"""


def read_in(folder: Path, **environment: str) -> dict[str, str]:
    """The settings as a program in that folder reads them."""
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(NAMES, json.loads(ended.stdout), strict=True))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "notes" / "deep").mkdir(parents=True)
    (root / "scrapy.cfg").write_text("")
    (root / ".env").write_text("QDRANT_COLLECTION=guides\nQDRANT_FOLDER=store\n")
    return root


def test_a_subfolder_has_the_output_and_the_env_of_the_closest_scrapy_cfg(project: Path) -> None:
    assert read_in(project / "notes" / "deep") == {
        "RAGCRAWLER_ROOT": str(project),
        "OUTPUT_DIR": str(project / "output"),
        "QDRANT_FOLDER": str(project / "store"),
        "QDRANT_COLLECTION": "guides",
        "EMBEDDING_CACHE_PATH": "",
    }


def test_in_the_root_itself_paths_stay_short(project: Path) -> None:
    values = read_in(project)
    assert (values["OUTPUT_DIR"], values["QDRANT_FOLDER"]) == ("output", "store")


def test_the_environment_names_another_root(project: Path, tmp_path: Path) -> None:
    values = read_in(tmp_path, RAGCRAWLER_ROOT=str(project), OUTPUT_DIR="out", EMBEDDING_CACHE_PATH="/cache")
    assert values["QDRANT_COLLECTION"] == "guides"
    assert values["OUTPUT_DIR"] == str(project / "out")
    assert values["EMBEDDING_CACHE_PATH"] == "/cache"


def test_without_a_project_the_current_folder_is_the_root(tmp_path: Path) -> None:
    values = read_in(tmp_path)
    assert (values["RAGCRAWLER_ROOT"], values["OUTPUT_DIR"]) == (str(tmp_path), "output")


def test_a_root_that_is_given_as_a_setting_is_refused() -> None:
    with pytest.raises(SettingError, match=r"RAGCRAWLER_ROOT is '/elsewhere'.*in the environment"):
        Configuration.from_settings(project_settings(RAGCRAWLER_ROOT="/elsewhere"))


def test_a_root_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcrawler.settings.RAGCRAWLER_ROOT", "/no/such/folder")
    with pytest.raises(SettingError, match=r"RAGCRAWLER_ROOT is '/no/such/folder'.*a folder that is there"):
        Configuration.from_settings(project_settings())
