"""Tests that need a browser; where there is none they are left out, and the head of the run says so."""

from ragcrawler.rendering.chromium import BrowserMissing, find_chromium

collect_ignore_glob: list[str] = []
_reason = ""

try:
    find_chromium("")
except BrowserMissing as error:
    _reason = str(error)
    collect_ignore_glob.append("test_live_*.py")


def pytest_report_header() -> str:
    return f"tests of JavaScript are left out: {_reason}" if _reason else ""
