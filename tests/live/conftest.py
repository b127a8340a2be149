"""Tests that need a browser; where there is none they are left out, and the head of the run says so."""

from ragcrawler.middlewares.javascript.browser.chromium import find_chromium
from ragcrawler.middlewares.javascript.browser.errors import BrowserMissing

collect_ignore_glob: list[str] = []
_reason = ""

try:
    find_chromium("")
except BrowserMissing as error:
    _reason = str(error)
    collect_ignore_glob.append("test_live_*.py")


def pytest_report_header() -> str:
    return f"tests of JavaScript are left out: {_reason}" if _reason else ""
