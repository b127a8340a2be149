"""What stands at the bottom of a terminal, below the log: a line, and bars."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table

_BAR_COLUMNS = 40


class Bar(NamedTuple):
    """How much of something is done.

    Attributes:
        name: of what is counted.
        done: so many.
        total: of so many, as far as is known.
    """

    name: str
    done: int
    total: int


class TerminalDisplay:
    """A line and bars that are written over; log lines scroll above them.

    Scrapy's log handlers hold on to the `stderr` of the program's start. While the display is shown they
    write to the one that rich puts in its place, or both would tear each other's lines.
    """

    def __init__(self, console: Console | None = None) -> None:
        # A thread that refreshes by itself would write between two lines of the log.
        self._live = Live(console=console or Console(stderr=True), auto_refresh=False)
        self._spinner = Spinner("dots")
        self._moved: list[tuple[logging.StreamHandler[Any], Any]] = []

    def start(self) -> None:
        before = sys.stderr
        self._live.start()
        for handler in logging.root.handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream is before:
                self._moved.append((handler, before))
                handler.setStream(sys.stderr)

    def show(self, text: str, bars: Sequence[Bar] = (), above: RenderableType = "") -> None:
        """Write line and bars over, and what stands above them."""
        self._spinner.update(text=text)
        shown = (above, self._spinner, _table(bars)) if above else (self._spinner, _table(bars))
        with self._silence():
            self._live.update(Group(*shown), refresh=True)

    def stop(self) -> None:
        """Leave all as it stands, and give the log its stream back."""
        with self._silence():
            self._live.stop()
            for handler, stream in self._moved:
                handler.setStream(stream)
        self._moved.clear()

    @contextmanager
    def _silence(self) -> Iterator[None]:
        """No thread logs meanwhile: rich finds out where the cursor is before it writes."""
        with ExitStack() as undo:
            for handler, _ in self._moved:
                handler.acquire()
                undo.callback(handler.release)
            yield


def _table(bars: Sequence[Bar]) -> Table:
    table = Table.grid(padding=(0, 1))
    for bar in bars:
        row = ProgressBar(total=bar.total, completed=bar.done, width=_BAR_COLUMNS)
        share = bar.done / bar.total if bar.total else 0.0
        # Rounded down: there is something to do until it says 100 %.
        table.add_row(bar.name, row, f"{bar.done}/{bar.total}", f"{int(share * 100)} %")
    return table
