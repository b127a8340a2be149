"""The report of a run as Markdown, for a terminal or a ticket: without plots, and with short lists."""

import re
from collections.abc import Iterable, Iterator, Sequence

from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.run.reporting.blocks import Block, Grid, Link, Numbers, PageList, Text
from ragcrawler.run.reporting.recorded_run import RecordedRun
from ragcrawler.run.reporting.sections import SECTIONS, head_of, title_of
from ragcrawler.urls.credentials import mask_credentials

_MOST_ITEMS = 10  # of a list that is not wanted whole
_MOST_CHARACTERS = 300
_MARKUP = re.compile(r"[\\`<|\[\]]")


def report_markdown(run: RecordedRun) -> str:
    """All that the page tells in words and numbers."""
    lines = [f"# {_plain(title_of(run))}", "", f"Run {run.name}", "", *_lines(head_of(run))]
    for section in SECTIONS:
        if content := list(_lines(section.blocks(run))):
            lines += [f"## {section.title}", "", *content]
    return "\n".join(lines).rstrip("\n") + "\n"


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Text):
            yield from (" ".join(printable(block.words).split()), "")
        elif isinstance(block, Numbers):
            rows = [(name, str(value)) for name, value in block.shown.items()]
            yield from _table(block.title, block.heads, rows)
        elif isinstance(block, Grid):
            yield from _table(block.title, block.heads, block.rows[:_MOST_ITEMS])
            yield from _and_more(block.total - min(len(block.rows), _MOST_ITEMS), block.rest)
        elif isinstance(block, PageList):
            yield from _pages(block)


def _pages(block: PageList) -> Iterator[str]:
    shown = block.pages if block.is_whole else block.pages[:_MOST_ITEMS]
    if not shown:
        return
    yield from _title(block.title)
    yield from (f"- {_plain(each.url)} {_plain(each.note)}".rstrip() for each in shown)
    yield ""
    yield from _and_more(block.total - len(shown), block.rest)


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str | Link]]) -> Iterator[str]:
    if not rows:
        return
    yield from _title(title)
    yield f"| {' | '.join(heads)} |"
    yield f"|---|{'---:|' * (len(heads) - 1)}"
    for row in rows:
        yield f"| {' | '.join(_plain(cell.url if isinstance(cell, Link) else cell) for cell in row)} |"
    yield ""


def _title(title: str) -> Iterator[str]:
    if title:
        yield from (f"### {title}", "")


def _and_more(count: int, rest: str) -> Iterator[str]:
    if count > 0:
        yield from (f"and {count} more{f' {rest}' if rest else ''}", "")


def _plain(text: str) -> str:
    """Text of a page in one line that is no markup, without passwords."""
    line = " ".join(printable(mask_credentials(text)).split())[:_MOST_CHARACTERS]
    return _MARKUP.sub(lambda found: "&lt;" if found[0] == "<" else f"\\{found[0]}", line)
