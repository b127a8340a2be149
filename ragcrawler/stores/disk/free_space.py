"""Room on the disk, asked for before it is needed.

The embedded engine writes into files that are mapped into memory. Where the disk is full the system ends the
process by SIGBUS at such a write: nothing can be caught then, so nothing is written near the end of the disk.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.stores.errors import StoreError

_MEBIBYTE = 2**20


class DiskFullError(StoreError):
    """The disk has less room than must stay free: nothing was written."""


@dataclass(frozen=True, slots=True)
class FreeSpace:
    """The room that stays free on a folder's disk.

    Attributes:
        folder: need not exist yet.
        reserve_bytes: that stay free; 0 asks for nothing.
    """

    folder: Path
    reserve_bytes: int

    def require(self, more_bytes: int = 0) -> None:
        """Go on while there is room for some bytes beside the reserve.

        Raises:
            DiskFullError: there is not.
        """
        if not self.has(more_bytes):
            raise DiskFullError(
                f"Only {self._free() // _MEBIBYTE} MiB are free on the disk of {str(self.folder)!r}, and "
                f"{(self.reserve_bytes + more_bytes) // _MEBIBYTE} MiB are needed: free some, or lower "
                "DISK_RESERVE_MEBIBYTES."
            )

    def has(self, more_bytes: int = 0) -> bool:
        """Whether there is room for some bytes beside the reserve."""
        return not self.reserve_bytes or self._free() >= self.reserve_bytes + more_bytes

    def _free(self) -> int:
        existing = next(each for each in (self.folder, *self.folder.absolute().parents) if each.exists())
        return shutil.disk_usage(existing).free


def bytes_below(folder: Path) -> int:
    """The size of a folder's files on the disk."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())
