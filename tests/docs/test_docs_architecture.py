"""The page for developers: what it names is there, and it names every room."""

import re
from pathlib import Path

import pytest

from ragcrawler import settings

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRIBUTING = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PATH = re.compile(r"`((?:ragcrawler|tests|docs)/[\w./<>-]+|[A-Z]+\.md|pyproject\.toml)`")
ROOMS = sorted(
    path.stem for path in (PROJECT / "ragcrawler").iterdir() if path.is_dir() or path.suffix == ".py"
)
NO_ROOMS = {"__init__", "__main__", "__pycache__", "py", "demo_site"}


@pytest.mark.parametrize("name", sorted(set(PATH.findall(PAGE) + PATH.findall(CONTRIBUTING))))
def test_a_named_file_exists(name: str) -> None:
    folder, is_new, _ = name.partition("<")  # a file that somebody adds: its folder is there
    assert (PROJECT / folder).is_dir() if is_new else (PROJECT / name).exists()


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in NO_ROOMS])
def test_every_room_stands_in_the_table(room: str) -> None:
    assert f"`{room}`" in CONTRIBUTING


@pytest.mark.parametrize("path", settings.ITEM_PIPELINES)
def test_every_pipeline_is_on_the_way_of_a_page(path: str) -> None:
    module, name = path.rsplit(".", 1)
    assert f"`{module.replace('.', '/')}.py`" in PAGE
    assert f"[{name}]" in PAGE


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_it_is_linked(name: str) -> None:
    assert "(docs/architecture.md)" in (PROJECT / name).read_text(encoding="utf-8")
