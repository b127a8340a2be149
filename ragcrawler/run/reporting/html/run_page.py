"""The report of a run as one HTML file that needs nothing else, and no script."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files

from lxml import etree

from ragcrawler.retrieval.formatting.html import element, page
from ragcrawler.run.reporting.html.chunk_sections import chunks, page_sizes, time_spent, validation
from ragcrawler.run.reporting.html.page_sections import (
    duplicates,
    durations,
    failures,
    fates,
    status_codes,
)
from ragcrawler.run.reporting.html.recorded_run import RecordedRun
from ragcrawler.run.reporting.html.summary_sections import changes, course, summary

Section = Callable[[RecordedRun, int], Iterator[etree._Element]]

_SECTIONS: dict[str, tuple[str, Section]] = {
    "course": ("Over time", course),
    "changes": ("What changed", changes),
    "urls": ("URLs by what became of them", fates),
    "failures": ("Failures", failures),
    "statuses": ("Status codes", status_codes),
    "durations": ("Duration of pages", durations),
    "chunks": ("Chunks", chunks),
    "validation": ("Validation", validation),
    "duplicates": ("Duplicates", duplicates),
    "pages": ("Pages", page_sizes),
    "time": ("Time by stage", time_spent),
}
_MOST_BYTES = 480_000
_MOST_ITEMS = (200, 100, 50, 20, 10, 5)  # of a list: as many as fit


def run_page(run: RecordedRun) -> str:
    """One file for a browser, under 500 kB."""
    for most in _MOST_ITEMS:
        written = page(_title(run), _content(run, most), style=_style())
        if len(written.encode("utf-8")) <= _MOST_BYTES:
            break
    return written


def _title(run: RecordedRun) -> str:
    return f"Crawl with {run.report.spider}" if run.report else f"Run {run.name}"


def _content(run: RecordedRun, most: int) -> Iterator[etree._Element]:
    yield element("h1", _title(run))
    yield element("p", run.name, class_="quiet")
    yield from summary(run, most)
    links = (element("li", element("a", title, href=f"#{key}")) for key, (title, _) in _SECTIONS.items())
    yield element("nav", element("ul", *links), aria_label="Sections")
    for key, (title, section) in _SECTIONS.items():
        yield element("section", element("h2", title, id=f"{key}-title"), *section(run, most), id=key)


@cache
def _style() -> str:
    return files("ragcrawler.run.reporting.html").joinpath("run_page.css").read_text(encoding="utf-8")
