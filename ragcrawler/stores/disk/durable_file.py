"""Files that are whole or not there, also after a power cut."""

import os
from collections.abc import Mapping
from pathlib import Path


def write_durably(path: Path, content: str | bytes) -> None:
    """Put a file in place by one rename.

    Raises:
        OSError: it cannot be written.
    """
    write_all_durably(path.parent, {path.name: content})


def write_all_durably(folder: Path, contents: Mapping[str, str | bytes]) -> None:
    """Put files of a folder in place, each by one rename, and return when all are durable.

    Raises:
        OSError: one cannot be written.
    """
    for name, content in contents.items():
        building = folder / f".{name.lstrip('.')}.new"
        with building.open("wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        building.replace(folder / name)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make what was made, renamed and removed in a folder durable.

    Raises:
        OSError: the disk refuses.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
