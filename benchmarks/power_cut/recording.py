"""Records a program's changes to the files of one folder, with the content of mapped files at each call."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from power_cut.system_calls import SystemCall

PAGE = 4096

_FILE_SYNCS = {"fsync", "fdatasync"}


@dataclass(frozen=True, slots=True)
class Wrote:
    """A page of a file has another content; where nothing is said of a page, it is zeros."""

    file: int
    page: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Resized:
    """A file is longer or shorter."""

    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """Names came and went in one step: a file or folder was made, removed or renamed.

    Attributes:
        gone: paths below the folder.
        come: path to the number of its file; None for a folder.
    """

    gone: tuple[str, ...] = ()
    come: tuple[tuple[str, int | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Synced:
    """A file was made durable; None: a folder."""

    file: int | None


Event = Wrote | Resized | Renamed | Synced


@dataclass(slots=True)
class _Content:
    number: int
    descriptor: int
    size: int = 0
    extents: dict[int, bytes] = field(default_factory=dict)  # offset of a run of data to the data


class Recording:
    """Looks at a folder at each call of a program, and keeps what changed since the call before.

    Attributes:
        events: in their order.
        calls: how many calls were seen.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._device = folder.stat().st_dev
        self._files: dict[int, _Content] = {}  # by inode
        self._names: dict[str, int | None] = {}  # path to inode
        self._next = 0
        self.events: list[Event] = []
        self.calls = 0
        self._look()

    def close(self) -> None:
        """Look once more, and let go of the files."""
        self._look()
        for content in self._files.values():
            os.close(content.descriptor)

    def __call__(self, call: SystemCall) -> None:
        """Look before a call is carried out."""
        self.calls += 1
        if call.name == "msync":
            if inode := self._mapped(call.thread_id, call.arguments[0]):
                self._read(inode)
                self.events.append(Synced(self._files[inode].number))
        elif call.name in _FILE_SYNCS:
            self._look()
            self._sync(call)
        elif not call.name.startswith(("write", "pwrite")) or self._is_ours(call):
            self._look()

    def _is_ours(self, call: SystemCall) -> bool:
        with suppress(OSError):
            return self._opened(call).readlink().is_relative_to(self._folder)
        return False

    def _sync(self, call: SystemCall) -> None:
        if not self._is_ours(call):
            return
        content = self._files.get(self._opened(call).stat().st_ino)
        self.events.append(Synced(content.number if content else None))

    def _opened(self, call: SystemCall) -> Path:
        return Path(f"/proc/{call.thread_id}/fd/{call.arguments[0]}")

    def _mapped(self, thread: int, address: int) -> int:
        """The inode of the file that is mapped there, 0 for none of ours."""
        with Path(f"/proc/{thread}/maps").open() as maps:
            for line in maps:
                start, _, rest = line.partition("-")
                if int(start, 16) <= address < int(rest.partition(" ")[0], 16):
                    inode = int(line.split()[4])
                    return inode if inode in self._files else 0
        return 0

    def _look(self) -> None:
        names = dict(self._walked(self._folder, ""))
        self._compare(names)
        for inode in {each for each in names.values() if each is not None}:
            self._read(inode)

    def _walked(self, folder: str, prefix: str) -> Iterator[tuple[str, int | None]]:
        with suppress(FileNotFoundError), os.scandir(folder) as entries:
            for entry in entries:
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    yield path, None
                    yield from self._walked(entry.path, f"{path}/")
                elif entry.is_file(follow_symlinks=False):
                    yield path, entry.inode()

    def _compare(self, names: dict[str, int | None]) -> None:
        gone = [path for path in self._names if path not in names]
        come = [path for path in names if path not in self._names or self._names[path] != names[path]]
        held = {inode for inode in self._names.values() if inode is not None}
        # What comes under another name while its old one goes, or takes the place of another, is one rename.
        moved = [path for path in come if names[path] in held]
        is_folder_renamed = any(self._names[path] is None for path in gone)
        if gone and (moved or is_folder_renamed):
            self._rename(gone, come, names)
        else:
            for path in moved:
                self._rename([], [path], names)
            for path in come:
                if path not in moved:
                    self._rename([], [path], names)
            for path in sorted(gone, reverse=True):
                self._rename([path], [], names)
        alive = {inode for inode in names.values() if inode is not None}
        for inode in held - alive:
            os.close(self._files.pop(inode).descriptor)
        self._names = names

    def _rename(self, gone: list[str], come: list[str], names: dict[str, int | None]) -> None:
        entries = []
        for path in come:
            inode = names[path]
            if inode is not None and inode not in self._files:
                self._open(path, inode)
            entries.append((path, None if inode is None else self._files[inode].number))
        self.events.append(Renamed(tuple(gone), tuple(entries)))

    def _open(self, path: str, inode: int) -> None:
        descriptor = os.open(f"{self._folder}/{path}", os.O_RDONLY)
        self._files[inode] = _Content(self._next, descriptor)
        self._next += 1

    def _read(self, inode: int) -> None:
        content = self._files.get(inode)
        if content is None:
            return
        size = os.fstat(content.descriptor).st_size
        extents = dict(_extents(content.descriptor, size))
        if extents != content.extents:
            self._tell(content, _pages(content.extents), _pages(extents))
            content.extents = extents
        if size != content.size:
            self.events.append(Resized(content.number, size))
            content.size = size

    def _tell(self, content: _Content, before: dict[int, bytes], after: dict[int, bytes]) -> None:
        for page in before.keys() | after.keys():
            data = after.get(page, b"")
            if data != before.get(page, b""):
                self.events.append(Wrote(content.number, page, data))


def _extents(descriptor: int, size: int) -> Iterator[tuple[int, bytes]]:
    """Where a file has data, and the data; mapped pages that were never synced are among it."""
    at = 0
    while at < size:
        try:
            start = os.lseek(descriptor, at, os.SEEK_DATA)
        except OSError:  # nothing but a hole to the end
            return
        at = os.lseek(descriptor, start, os.SEEK_HOLE)
        yield start, os.pread(descriptor, at - start, start)


def _pages(extents: dict[int, bytes]) -> dict[int, bytes]:
    pages = {}
    for start, data in extents.items():
        for offset in range(0, len(data), PAGE):
            page = data[offset : offset + PAGE].rstrip(b"\0")
            if page:
                pages[(start + offset) // PAGE] = page
    return pages
