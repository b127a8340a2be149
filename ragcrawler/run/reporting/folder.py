"""Where the files of one run lie."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

_named_here: set[Path] = set()  # by this process


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one run; made when it is first written to.

    Attributes:
        path: `OUTPUT_DIR/runs/<UTC time>-<spider>-<process id>`, perhaps with `-2` and so on.
    """

    path: Path

    @classmethod
    def named(cls, output: Path, spider: str) -> "RunFolder":
        """The folder for a run that starts now.

        The process id keeps two starts of one second apart, and a number behind it those of one process.
        """
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{spider}-{os.getpid()}"
        first = output / "runs" / name
        path = next(each for each in _numbered(first) if each not in _named_here)
        _named_here.add(path)
        return cls(path)

    @property
    def documents(self) -> Path:
        """The default feed."""
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
    def report_json(self) -> Path:
        """The report for programs."""
        return self.path / "report.json"

    @property
    def report_markdown(self) -> Path:
        """The report for people."""
        return self.path / "report.md"

    def make(self) -> None:
        """Make the folder.

        Raises:
            OSError: it cannot be made.
        """
        self.path.mkdir(parents=True, exist_ok=True)


def _numbered(path: Path) -> Iterator[Path]:
    """The path, then with `-2` behind it, and so on."""
    yield path
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}")
