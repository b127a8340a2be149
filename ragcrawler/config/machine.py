"""The share of this machine that the program may use: its CPUs and its memory."""

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Files of one control group: of cgroup v2, then of v1, whose folder has the controller's name.
_CPU_FILES = ("cpu.max", "cpu.cfs_quota_us")
_MEMORY_FILES = ("memory.max", "memory.limit_in_bytes")


@dataclass(frozen=True, slots=True)
class ControlGroups:
    """The limits that a container or a service manager has set, of this process's group and those above it.

    Attributes:
        membership: the file with the groups of this process.
        mount: where the groups are mounted.
    """

    membership: Path = Path("/proc/self/cgroup")
    mount: Path = Path("/sys/fs/cgroup")

    def cpus(self) -> float:
        """CPU seconds that may be used in a second; infinite without a limit."""
        return min((_cpus(path) for path in self._files(_CPU_FILES)), default=math.inf)

    def memory_bytes(self) -> float:
        """Bytes of memory that may be used; infinite without a limit."""
        return min((_number(path) for path in self._files(_MEMORY_FILES)), default=math.inf)

    def _files(self, names: tuple[str, ...]) -> Iterator[Path]:
        for folder in self._folders():
            for name in names:
                if (folder / name).is_file():
                    yield folder / name

    def _folders(self) -> Iterator[Path]:
        """The group and those above it; a container may see its own as the root, whatever the path says."""
        for line in self._lines():
            controllers, _, path = line.partition(":")[2].partition(":")
            top = self.mount / controllers if controllers else self.mount
            group = top / path.strip("/")
            yield group
            yield from (folder for folder in group.parents if folder.is_relative_to(top))

    def _lines(self) -> list[str]:
        with suppress(OSError):  # no Linux
            return self.membership.read_text(encoding="ascii", errors="replace").splitlines()
        return []


def usable_cpus(groups: ControlGroups | None = None) -> int:
    """How many CPUs this process may keep busy: by its affinity and its control group; at least one."""
    quota = groups.cpus() if groups else _own_quota()
    return max(1, min(_scheduled_cpus(), math.ceil(quota) if math.isfinite(quota) else _scheduled_cpus()))


@cache
def _own_quota() -> float:
    """That of this process, read once: it does not change while a crawl runs."""
    return ControlGroups().cpus()


def usable_memory_bytes(groups: ControlGroups | None = None) -> int:
    """The memory of the machine, or of the control group where that is less."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(min(machine, (groups or ControlGroups()).memory_bytes()))


def _scheduled_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpus(path: Path) -> float:
    """The quota divided by its period; v2 has both in one file, v1 the period beside it."""
    if path.name == "cpu.max":
        quota, _, period = path.read_text(encoding="ascii").partition(" ")
        return math.inf if quota == "max" else int(quota) / int(period)
    quota_microseconds = _number(path)
    period_microseconds = _number(path.with_name("cpu.cfs_period_us"))
    return quota_microseconds / period_microseconds if quota_microseconds > 0 else math.inf


def _number(path: Path) -> float:
    text = path.read_text(encoding="ascii").strip()
    return math.inf if text == "max" else int(text)
