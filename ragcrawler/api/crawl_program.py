"""The program of a crawl's process: takes an order by standard input, and gives the run's folder."""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from scrapy.cmdline import execute
from scrapy.settings import Settings

from ragcrawler.__main__ import program_settings

_ORDERS = 0  # standard input


def main() -> int:
    """Crawl as `ragcrawler crawl` does; gives its exit code."""
    order: dict[str, Any] = json.loads(sys.stdin.readline())
    # Whatever prints goes with the log; standard output is for the answer.
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    settings = program_settings()
    settings.setdict(order["settings"], priority="cmdline")
    given = [part for name, value in order["arguments"].items() for part in ("-a", f"{name}={value}")]
    code = _execute(["ragcrawler", "crawl", order["spider"], *given], settings)
    with answer:
        json.dump({"run_folder": _run_folder(settings, order["spider"])}, answer)
    return code


def _execute(command: list[str], settings: Settings) -> int:
    try:
        execute(command, settings)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _run_folder(settings: Settings, spider: str) -> str:
    """That of this process; "" where no report was written."""
    runs = Path(settings["OUTPUT_DIR"]).absolute() / "runs"
    found = sorted(runs.glob(f"*-{spider}-{os.getpid()}/report.json"))
    return str(found[-1].parent) if found else ""


def _end_with_parent() -> None:
    """End in order when the parent is gone: its end of the pipe closes with it."""
    while os.read(_ORDERS, 1024):  # not by `sys.stdin`, whose lock a thread must not hold when Python ends
        continue
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    sys.exit(main())
