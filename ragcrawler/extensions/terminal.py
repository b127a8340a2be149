"""One line at the bottom of a terminal, below the log."""

import logging
import sys
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner


class TerminalLine:
    """A line that is written over; log lines scroll above it.

    Scrapy's log handlers hold on to the `stderr` of the program's start. While the line is shown they write
    to the one that rich puts in its place, or both would tear each other's lines.
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

    def show(self, text: str) -> None:
        """Write the line over."""
        self._spinner.update(text=text)
        self._live.update(self._spinner, refresh=True)

    def stop(self) -> None:
        """Leave the line as it stands, and give the log its stream back."""
        for handler, stream in self._moved:
            handler.setStream(stream)
        self._moved.clear()
        self._live.stop()
