"""Writes a file that takes its name when it is whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes its name when it is whole; one that was there stays until then.

    Raises:
        OSError: it cannot be written.
    """
    building = path.with_name(f".{path.name}.part")
    try:
        with building.open("wb") as out:
            yield out
        building.replace(path)
    finally:
        building.unlink(missing_ok=True)
