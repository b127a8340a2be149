"""The process of a crawl, as its parent sees it."""

import json
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import IO, TextIO, cast

_PROGRAM = (sys.executable, "-m", "ragcrawler.api.crawl_program")
_LAST_LINES = 20
_MOST_WARNINGS = 100
_LONGEST_LINE = 10_000


@dataclass(frozen=True, slots=True)
class CrawlOrder:
    """What to crawl: it goes by a pipe, for a command line with secrets could be read by everybody.

    Attributes:
        spider: its name.
        arguments: of the spider.
        settings: of the crawl, values of JSON.
    """

    spider: str
    arguments: Mapping[str, str]
    settings: Mapping[str, object]


@dataclass(slots=True)
class Ended:
    """How the process ended.

    Attributes:
        exit_code: its exit code; negative after a signal.
        run_folder: "" where there is no report.
        last_lines: of what it wrote to standard error.
        warnings: the lines of it that are warnings of settings.
    """

    exit_code: int = 0
    run_folder: str = ""
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=_LAST_LINES))
    warnings: list[str] = field(default_factory=list)


def run_child(order: CrawlOrder, log: TextIO | None) -> Ended:
    """Run a crawl to its end; an interruption is passed on, and waited for.

    Raises:
        TypeError: a setting is no value of JSON.
    """
    content = json.dumps(asdict(order)) + "\n"
    ended = Ended()
    process = subprocess.Popen(  # noqa: S603  our own interpreter and code
        _PROGRAM,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,  # a terminal's Ctrl-C reaches it through this process alone, once
    )
    with process:
        try:
            _tell(process, content)
            _follow(process, ended, log)
        except BaseException:
            process.send_signal(signal.SIGINT)
            _follow(process, ended, log)
            raise
        finally:
            answer = cast("IO[str]", process.stdout).read()
            ended.exit_code = process.wait()
    if answer:
        ended.run_folder = json.loads(answer)["run_folder"]
    return ended


def _tell(process: "subprocess.Popen[str]", content: str) -> None:
    """Give the order; standard input stays open: its end tells the crawl that this process is gone."""
    pipe = cast("IO[str]", process.stdin)
    try:
        pipe.write(content)
        pipe.flush()
    except BrokenPipeError:  # it died at its start: its exit code and last lines tell why
        with suppress(BrokenPipeError):
            pipe.close()


def _follow(process: "subprocess.Popen[str]", ended: Ended, log: TextIO | None) -> None:
    for line in cast("IO[str]", process.stderr):
        shown = line.rstrip("\n")[:_LONGEST_LINE]
        ended.last_lines.append(shown)
        if shown.startswith("Warning: ") and len(ended.warnings) < _MOST_WARNINGS:
            ended.warnings.append(shown)
        if log is not None:
            log.write(f"{shown}\n")
