"""Files that may be read and not written: they are copied to a temporary folder and opened there.

Neither the engine nor SQLite opens what it may not write; the copy is theirs to lock, replay and check.
"""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

_BUFFER_BYTES = 2**20


def is_read_only(*paths: Path) -> bool:
    """Whether one of these files and folders is there and may not be written, for its rights or its disk."""
    return any(path.exists() and not os.access(path, os.W_OK) for path in paths)


def temporary_copy(paths: Iterable[Path]) -> "tempfile.TemporaryDirectory[str]":
    """Files and folders in a folder that goes when it is cleaned up; holes stay holes.

    Raises:
        OSError: they cannot be read, or there is no room for them.
    """
    folder = tempfile.TemporaryDirectory(prefix="ragcrawler-")
    try:
        for path in paths:
            _copy(path, Path(folder.name) / path.name)
    except BaseException:
        folder.cleanup()
        raise
    return folder


def _copy(source: Path, target: Path) -> None:
    if not source.is_dir():
        _copy_data(source, target)
        return
    target.mkdir()
    for each in source.iterdir():
        _copy(each, target / each.name)


def _copy_data(source: Path, target: Path) -> None:
    """Only what is data: the engine's files have hundreds of megabytes of holes."""
    with source.open("rb") as read, target.open("wb") as written:
        size = os.fstat(read.fileno()).st_size
        end = 0
        while end < size:
            try:
                start = os.lseek(read.fileno(), end, os.SEEK_DATA)
            except OSError:  # nothing but a hole to the end
                break
            end = os.lseek(read.fileno(), start, os.SEEK_HOLE)
            _copy_range(read.fileno(), written.fileno(), start, end)
        os.truncate(written.fileno(), size)


def _copy_range(source: int, target: int, start: int, end: int) -> None:
    at = start
    while at < end:
        data = os.pread(source, min(end - at, _BUFFER_BYTES), at)
        at += os.pwrite(target, data, at)
