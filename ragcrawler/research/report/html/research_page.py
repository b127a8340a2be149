"""The frame of the pages about researches."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from lxml import etree

from ragcrawler.retrieval.formatting.html import page


def research_page(title: str, content: Iterable[etree._Element], refresh_seconds: int = 0) -> str:
    """A whole HTML file; see `page`."""
    style, script = _file("research.css"), _file("page.js")
    return page(title, content, style=style, script=script, refresh_seconds=refresh_seconds)


@cache
def _file(name: str) -> str:
    return files("ragcrawler.research.report.html").joinpath(name).read_text(encoding="utf-8")
