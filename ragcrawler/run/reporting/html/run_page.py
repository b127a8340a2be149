"""The report of a run as one HTML file that needs nothing else, and no script."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from lxml import etree

from ragcrawler.retrieval.formatting.html import Child, element, link, page
from ragcrawler.run.reporting.blocks import Block, Course, Grid, Link, Numbers, PageList, Sizes, Text
from ragcrawler.run.reporting.html.plots import bar_table, histogram_table, time_plot
from ragcrawler.run.reporting.recorded_run import RecordedRun
from ragcrawler.run.reporting.sections import SECTIONS, head_of, title_of
from ragcrawler.urls.credentials import mask_credentials

Elements = Iterator[etree._Element]

_MOST_BYTES = 480_000
_MOST_ITEMS = (200, 100, 50, 20, 10, 5)  # of a list: as many as fit
_MOST_ROWS = 100
_SHOWN_CHARACTERS = 160
_MOST_LINK_CHARACTERS = 1_000
_CODE = re.compile("`([^`]+)`")


def run_page(run: RecordedRun) -> str:
    """One file for a browser, under 500 kB."""
    for most in _MOST_ITEMS:
        written = page(title_of(run), _content(run, most), style=_style())
        if len(written.encode("utf-8")) <= _MOST_BYTES:
            break
    return written


def _content(run: RecordedRun, most: int) -> Elements:
    yield element("h1", shortened(title_of(run)))
    yield element("p", run.name, class_="quiet")
    yield from _elements(head_of(run), most)
    contents = {section: list(_elements(section.blocks(run), most)) for section in SECTIONS}
    told = {section: content for section, content in contents.items() if content}
    links = (element("li", element("a", each.title, href=f"#{each.key}")) for each in told)
    yield element("nav", element("ul", *links), aria_label="Sections")
    for each, content in told.items():
        yield element("section", element("h2", each.title, id=f"{each.key}-title"), *content, id=each.key)


def _elements(blocks: Iterable[Block], most: int) -> Elements:
    """Blocks without anything to show are left out."""
    for block in blocks:
        match block:
            case Text():
                yield _text(block)
            case Numbers():
                yield from _numbers(block)
            case Grid():
                yield from _grid(block, most)
            case PageList():
                yield from _pages(block, most)
            case Course():
                yield time_plot(block.title, block.stretches, block.names)
                yield from (element("p", note, class_="quiet") for note in block.notes)
            case Sizes():
                yield histogram_table(block.heads, block.histogram, block.unit)


def _text(block: Text) -> etree._Element:
    kind = f"state {block.tone}" if block.tone in ("good", "bad") else block.tone
    return element("p", *_with_code(block.words), **({"class": kind} if kind else {}))


def _with_code(words: str) -> Iterator[Child]:
    """What stands in backticks as code."""
    for place, part in enumerate(_CODE.split(words)):
        yield element("code", part) if place % 2 else part


def _numbers(block: Numbers) -> Elements:
    rows = block.shown
    if not rows:
        return
    shown = dict(list(rows.items())[:_MOST_ROWS])
    yield from _title(block.title)
    if block.look == "list" and block.heads[1]:
        yield element("p", block.heads[0][:1].upper() + block.heads[0][1:], class_="caption")
    if block.look == "bars":
        yield bar_table(block.heads, {name: float(value) for name, value in shown.items()})
    else:
        yield _pairs(shown, class_=block.look)
    yield from _and_more(len(rows) - len(shown))


def _grid(block: Grid, most: int) -> Elements:
    """A table that scrolls by itself on a narrow screen, also by keys."""
    shown = block.rows[:most]
    if not shown:
        return
    yield from _title(block.title)
    head = element("thead", element("tr", *(element("th", each, scope="col") for each in block.heads)))
    rows = (element("tr", *(element("td", _cell(cell)) for cell in row)) for row in shown)
    table = element("table", head, element("tbody", *rows))
    name = block.title or ", ".join(block.heads)
    yield element("div", table, class_="wide", tabindex="0", role="region", aria_label=name)
    yield from _and_more(block.total - len(shown), block.rest)


def _pages(block: PageList, most: int) -> Elements:
    shown = block.pages[:most]
    if not shown:
        return
    yield from _title(block.title)
    items = (
        element("li", page_link(each.url), " ", element("small", shortened(each.note))) for each in shown
    )
    yield element("ul", *items, class_="urls")
    yield from _and_more(max(block.total, len(block.pages)) - len(shown), block.rest)


def _title(title: str) -> Elements:
    if title:
        yield element("h3", title)


def _and_more(count: int, rest: str = "") -> Elements:
    if count > 0:
        yield element("p", *_with_code(f"and {count:,} more {rest}".strip()), class_="more")


def _pairs(rows: Mapping[str, int | float | str], **attributes: str) -> etree._Element:
    shown = {name: value if isinstance(value, str) else f"{value:,}" for name, value in rows.items()}
    pairs = (element("div", element("dt", name), element("dd", text)) for name, text in shown.items())
    return element("dl", *pairs, **attributes)


def _cell(cell: str | Link) -> Child:
    return page_link(cell.url) if isinstance(cell, Link) else shortened(cell)


def page_link(url: str) -> etree._Element:
    """A URL, shortened for the eye; one with a password, of another kind or too long is no link."""
    text = shortened(mask_credentials(url))
    is_link = mask_credentials(url) == url and len(url) <= _MOST_LINK_CHARACTERS
    return link(url, text) if is_link else element("span", text)


def shortened(text: str) -> str:
    """The text in one line, with a mark where something is left out."""
    line = " ".join(text[: _SHOWN_CHARACTERS * 4].split())
    return line if len(line) <= _SHOWN_CHARACTERS else f"{line[: _SHOWN_CHARACTERS - 1]}…"


@cache
def _style() -> str:
    return files("ragcrawler.run.reporting.html").joinpath("run_page.css").read_text(encoding="utf-8")
