"""Tests that need a browser; where there is none they are left out, and the head of the run says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from ragcrawler.rendering.chromium import BrowserMissing, find_chromium
from tests.live.pages import served, write_files
from tests.server.conftest import RunningServer

collect_ignore_glob: list[str] = []
_reason = ""

try:
    find_chromium("")
except BrowserMissing as error:
    _reason = str(error)
    collect_ignore_glob.append("test_live_*.py")


def pytest_report_header() -> str:
    return f"tests of JavaScript are left out: {_reason}" if _reason else ""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", type=Path, help="folder for pictures of all pages: test_live_layout.py")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of a module, not of the session: as long as it is open, no other test has a loop of its own."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(find_chromium("")), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with a language model."""
    with served(tmp_path_factory.mktemp("library"), with_model=True) as started:
        yield started


@pytest.fixture(scope="module")
def plain_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server without one."""
    with served(tmp_path_factory.mktemp("library"), with_model=False) as started:
        yield started


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    return folder
