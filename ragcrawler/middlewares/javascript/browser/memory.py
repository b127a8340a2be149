"""How much memory a browser with all its processes takes."""

from collections import defaultdict
from pathlib import Path

_PROC = Path("/proc")
_KIBIBYTE = 2**10


def tree_bytes(mark: str) -> int:
    """Proportional resident bytes of the processes with an argument `mark`, and of all that they started.

    What several of them share counts once. 0 on systems without Linux's `/proc`.
    """
    children: dict[int, list[int]] = defaultdict(list)
    marked: list[int] = []
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if entry.name.isdecimal():
            process = int(entry.name)
            children[_parent(entry)].append(process)
            if mark.encode() in _read(entry / "cmdline").split(b"\0"):
                marked.append(process)
    tree: set[int] = set()
    while marked:
        process = marked.pop()
        if process not in tree:
            tree.add(process)
            marked.extend(children[process])
    return sum(_proportional_bytes(_PROC / str(process)) for process in tree)


def _parent(entry: Path) -> int:
    # The name of the program may hold spaces and brackets; the parent is the second field behind it.
    fields = _read(entry / "stat").rpartition(b")")[2].split()
    return int(fields[1]) if len(fields) > 1 else 0


def _proportional_bytes(entry: Path) -> int:
    for line in _read(entry / "smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * _KIBIBYTE
    return 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # the process has ended meanwhile, or belongs to somebody else
