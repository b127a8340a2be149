"""The folder of one run, and the paths of its files."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

LAST = "last"
_TIME = "%Y%m%dT%H%M%SZ"
_TIME_OF_A_NAME = re.compile(r"\d{8}T\d{6}Z(?=-)")

_ID = re.compile(r"\d{8}T\d{6}Z-(.+?)-\d+(?:-\d+)?")

_named_here: set[Path] = set()  # by this process


class RunNotFoundError(ValueError):
    """There is no such run; says which there are."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one run; made when it is first written to.

    Attributes:
        path: `OUTPUT_DIR/runs/<UTC time>-<spider>-<process id>`, perhaps with `-2` and so on.
    """

    path: Path

    @classmethod
    def named(
        cls, output: Path, spider: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> "RunFolder":
        """The folder for a run that starts now; it sorts behind those that are there.

        The process id keeps two starts of one second apart, and a number behind it those of one process.
        Where the clock was set back since the last run, the time is the second after that run's.
        """
        started = _behind(output / "runs", now())
        name = f"{started:{_TIME}}-{spider}-{os.getpid()}"
        first = output / "runs" / name
        path = next(each for each in _numbered_paths(first) if each not in _named_here)
        _named_here.add(path)
        return cls(path)

    @property
    def documents(self) -> Path:
        return self.path / "documents.jsonl"

    @property
    def failures(self) -> Path:
        """One JSON line a lost page."""
        return self.path / "failures.jsonl"

    @property
    def urls(self) -> Path:
        """One JSON line a URL, where TRACE_URLS asks for it."""
        return self.path / "urls.jsonl"

    @property
    def skipped(self) -> Path:
        """One JSON line a URL that was left out on purpose, up to a number."""
        return self.path / "skipped.jsonl"

    @property
    def report_json(self) -> Path:
        return self.path / "report.json"

    @property
    def report_markdown(self) -> Path:
        return self.path / "report.md"

    @property
    def report_html(self) -> Path:
        return self.path / "report.html"

    def make(self) -> None:
        """Make the folder.

        Raises:
            OSError: it cannot be made.
        """
        self.path.mkdir(parents=True, exist_ok=True)


def ids_after(second: datetime) -> str:
    """What sorts before the ids of all runs that began after a second, and behind those of all others."""
    return f"{second.astimezone(UTC) + timedelta(seconds=1):{_TIME}}"


def spider_of(run_id: str) -> str:
    """The spider of a run; "" for what is no id of one."""
    match = _ID.fullmatch(run_id)
    return match[1] if match else ""


def find_run(output: Path, name: str) -> RunFolder:
    """The folder of a run that was.

    Args:
        output: the folder of all files.
        name: of the run's folder, or "last" for the newest that is there.

    Raises:
        RunNotFoundError: there is no such run.
    """
    runs = output / "runs"
    names = sorted(path.name for path in runs.iterdir() if path.is_dir()) if runs.is_dir() else []
    if name == LAST and names:
        return RunFolder(runs / names[-1])
    if name in names:
        return RunFolder(runs / name)
    known = ", ".join(names[-3:]) or "none yet"
    raise RunNotFoundError(f"{runs} has no such run; the last ones are {known}")


def _behind(runs: Path, started: datetime) -> datetime:
    """The time, or the second after the last run that is there, whichever is later."""
    times = [match.group() for path in runs.glob("*-*") if (match := _TIME_OF_A_NAME.match(path.name))]
    if not times:
        return started
    try:
        last = datetime.strptime(max(times), _TIME).replace(tzinfo=UTC)
    except ValueError:  # digits that are no time: a folder of somebody else's
        return started
    return started if started.replace(microsecond=0) >= last else last + timedelta(seconds=1)


def _numbered_paths(path: Path) -> Iterator[Path]:
    """The path, then with `-2` behind it, and so on."""
    yield path
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}")
