"""The line on a terminal and the log share the screen."""

import fcntl
import io
import logging
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress

import pytest
from rich.console import Console

from ragcrawler.extensions.terminal import TerminalDisplay


def test_log_lines_go_above_the_line_while_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    handler = logging.StreamHandler(screen)
    logging.root.addHandler(handler)
    try:
        line = TerminalDisplay(Console(file=screen, force_terminal=True))
        line.start()
        assert handler.stream is sys.stderr
        assert handler.stream is not screen
        line.show("3 pages fetched")
        line.stop()
        assert handler.stream is screen
    finally:
        logging.root.removeHandler(handler)
    assert "3 pages fetched" in screen.getvalue()


# Logs from two threads while the display is redrawn, as a crawl does; prints nothing of its own.
PROGRAM = """
import logging, sys, threading
from ragcrawler.extensions.terminal import Bar, TerminalDisplay

logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.INFO)
display = TerminalDisplay()
display.start()

def log(name):
    for number in range(200):
        logging.info("%s", f"{name}-{number:03}" * 6)

threads = [threading.Thread(target=log, args=(name,)) for name in "ab"]
for thread in threads:
    thread.start()
for done in range(101):
    bars = [Bar("Documents", done, 100), Bar("Summaries", done * 3, 400)]
    display.show(f"{done} pages", bars, "a tree\\nof two lines")
for thread in threads:
    thread.join()
display.stop()
"""
COLUMNS = 80


def on_pseudo_terminal(program: str) -> bytes:
    """All that a Python program writes to its terminal."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(COLUMNS)}
    process = subprocess.Popen([sys.executable, "-c", program], stderr=child, env=environment)
    os.close(child)
    written = b""
    with suppress(OSError):  # Linux says EIO when the other end is closed
        while part := os.read(parent, 65536):
            written += part
    os.close(parent)
    assert process.wait() == 0
    return written


def test_bars_stay_below_whole_log_lines_on_a_pseudo_terminal() -> None:
    lines = screen_lines(on_pseudo_terminal(PROGRAM))
    logged = [line for line in lines if line[:2] in ("a-", "b-")]
    expected = {f"{name}-{number:03}" * 6 for name in "ab" for number in range(200)}
    assert set(logged) == expected
    assert len(logged) == len(expected)
    assert lines[-5:-3] == ["a tree", "of two lines"]
    assert lines[-3].endswith(" 100 pages")
    assert lines[-2] == f"Documents {'━' * 40} 100/100 100 %"
    assert re.fullmatch(r"Summaries ━{30}[╸━╺ ]*━* 300/400 75 % *", lines[-1])
    assert len(lines) == len(expected) + 5


def screen_lines(written: bytes) -> list[str]:
    """What a terminal shows of it in the end, blank lines left out; knows what rich writes, and no more."""
    lines, row = [""], 0
    for token in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", written.decode()):
        if token == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif token == "\x1b[2K":
            lines[row] = ""
        elif token.endswith("A"):
            row -= int(token[2:-1] or 1)
        elif token[0] not in "\x1b\r":
            lines[row] += token
    return [line.rstrip() for line in lines if line.strip()]
