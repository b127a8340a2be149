"""Files that are whole or not there, also after a power cut."""

import os
from pathlib import Path


def write_durably(path: Path, text: str) -> None:
    """Put a file in place by one rename.

    Raises:
        OSError: it cannot be written.
    """
    building = path.with_name(f".{path.name.lstrip('.')}.new")
    with building.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    building.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable.

    Raises:
        OSError: the disk refuses.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
