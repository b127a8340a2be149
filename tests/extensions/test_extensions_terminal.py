"""The line on a terminal and the log share the screen."""

import io
import logging
import sys

import pytest
from rich.console import Console

from ragcrawler.extensions.terminal import TerminalLine


def test_log_lines_go_above_the_line_while_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    handler = logging.StreamHandler(screen)
    logging.root.addHandler(handler)
    try:
        line = TerminalLine(Console(file=screen, force_terminal=True))
        line.start()
        assert handler.stream is sys.stderr
        assert handler.stream is not screen
        line.show("3 pages fetched")
        line.stop()
        assert handler.stream is screen
    finally:
        logging.root.removeHandler(handler)
    assert "3 pages fetched" in screen.getvalue()
