"""The run's list of lost pages, on disk as they happen."""

import json
import os
from dataclasses import asdict, dataclass
from typing import TextIO

from ragcrawler.run.reporting.folder import RunFolder


@dataclass(frozen=True, slots=True)
class Failure:
    """A page that was lost.

    Attributes:
        url: its canonical URL.
        stage: where: fetch, read, parse, convert, chunk, embed or upsert.
        reason: the word it is counted by.
        error_type: the error's class.
        message: what the error said.
        stack_trace: the traceback, "" where the error came from the network.
        attempts: how often it was tried, in earlier runs that it was retried from too.
    """

    url: str
    stage: str
    reason: str
    error_type: str
    message: str
    stack_trace: str = ""
    attempts: int = 1


class FailureList:
    """Appends each failure to `failures.jsonl` at once, so that a killed run keeps its list.

    It is durable when the run ends. Of a run that a power cut ends, the last lines may be missing.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._file: TextIO | None = None
        self.count = 0

    def add(self, failure: Failure) -> None:
        """Write one line and let it reach the disk's cache."""
        if self._file is None:
            self._folder.make()
            self._file = self._folder.failures.open("a", encoding="utf-8")
        self._file.write(json.dumps(asdict(failure), ensure_ascii=False) + "\n")
        self._file.flush()
        self.count += 1

    def close(self) -> None:
        """Make the file durable and close it; calling it twice is fine."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None
