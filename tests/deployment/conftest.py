"""The deployed package, in an environment that has everything but this project."""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ragcrawler.site_server import DEMO_SITE, SiteServer

PROJECT = Path(__file__).parents[2]
PACKAGED = ("ragcrawler", "scrapy.cfg", "pyproject.toml", "README.md", "LICENSE")
# Models that need no file, and no waiting between requests.
ENVIRONMENT_FILE = """\
EMBEDDING_MODEL=hashing/384
SPARSE_EMBEDDING_MODEL=hashing/sparse
QDRANT_COLLECTION=deployed
"""


MakeEnvironment = Callable[..., Path]

# Where Python keeps bytecode apart from the sources, it does so by their path: each environment would compile
# thousands of modules anew, which differ in nothing but the links to them.
SHARED_BYTECODE = """\
import importlib._bootstrap_external as loader, os
by_path = loader.cache_from_source
loader.cache_from_source = lambda path, *rest, **named: by_path(os.path.realpath(path), *rest, **named)
"""


@pytest.fixture(scope="session")
def make_environment(tmp_path_factory: pytest.TempPathFactory) -> MakeEnvironment:
    """Make a virtual environment with the packages of this one, but for this project and what is named."""

    def make(*without: str) -> Path:
        folder = tmp_path_factory.mktemp("environment")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        (packages,) = folder.glob("lib/python*/site-packages")
        for entry in Path(sysconfig.get_path("purelib")).iterdir():
            if not any(name in entry.name for name in ("ragcrawler", "__pycache__", *without)):
                (packages / entry.name).symlink_to(entry)
        (packages / "shared_bytecode.py").write_text(SHARED_BYTECODE)
        (packages / "shared_bytecode.pth").write_text("import shared_bytecode\n")
        return folder

    return make


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this project, which may be littered."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in PACKAGED:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(PROJECT / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def package_files() -> set[str]:
    """Every file that an egg or a wheel has to hold, relative to it."""
    return {
        path.relative_to(PROJECT).as_posix()
        for path in (PROJECT / "ragcrawler").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def demo_site() -> Iterator[SiteServer]:
    with SiteServer(DEMO_SITE) as server:
        yield server


@pytest.fixture(scope="session")
def environment_file() -> str:
    """The `.env` of a project."""
    return ENVIRONMENT_FILE
