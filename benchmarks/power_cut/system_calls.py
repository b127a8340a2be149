"""Stops a program at each system call that changes or syncs files, by seccomp's user notification.

The kernel (Linux 5.5 or later) holds the calling thread until the observer has looked, and then carries the
call out, or has it fail. Nothing has to be compiled or installed, and no library can hide a call: SQLite's
and those of the engine are seen as well as Python's own.
"""

import ctypes
import fcntl
import os
import platform
import select
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

_NUMBERS = {
    "x86_64": (
        0xC000003E,
        {
            "write": 1, "pwrite64": 18, "writev": 20, "pwritev": 296, "pwritev2": 328, "msync": 26,
            "fsync": 74, "fdatasync": 75, "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84,
            "unlink": 87, "unlinkat": 263, "renameat": 264, "renameat2": 316, "mkdirat": 258,
            "fallocate": 285, "copy_file_range": 326,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "write": 64, "pwrite64": 68, "writev": 66, "pwritev": 70, "pwritev2": 287, "msync": 227,
            "fsync": 82, "fdatasync": 83, "ftruncate": 46, "unlinkat": 35, "renameat": 38, "renameat2": 276,
            "mkdirat": 34, "fallocate": 47, "copy_file_range": 285,
        },
    ),
}  # fmt: skip
_SECCOMP_NUMBER = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER, _NEW_LISTENER = 1, 8
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_NO_NEW_PRIVILEGES = 38
_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_CONTINUE = 1
_NOTIFICATION_BYTES = 80


class SystemCall(NamedTuple):
    """A call that is about to be carried out: its name, its arguments, and the thread that makes it."""

    name: str
    arguments: tuple[int, ...]
    thread_id: int


def is_supported() -> bool:
    """Whether this kernel can hold a program at its calls."""
    offered = Path("/proc/sys/kernel/seccomp/actions_avail")
    return platform.machine() in _NUMBERS and offered.exists() and "user_notif" in offered.read_text()


Observer = Callable[[SystemCall], int | None]
"""Called before each call is carried out, while the thread that makes it waits; an `errno` has it fail."""


def observed(command: Sequence[str], observe: Observer, environment: dict[str, str] | None = None) -> int:
    """Run a program with all its children to its end; its exit code.

    Args:
        command: with its arguments.
        observe: see `Observer`.
        environment: of the program, None for this one's.
    """
    here, there = socket.socketpair()
    with here:
        with there:
            process = subprocess.Popen(
                [sys.executable, __file__, str(there.fileno()), *command],
                pass_fds=[there.fileno()],
                env=environment,
            )
        try:
            serve(here, observe)
        finally:
            process.wait()
    return process.returncode


def serve(channel: socket.socket, observe: Observer) -> None:
    """Observe the process at the other end of a channel, which calls `be_observed`, to its end."""
    _, (listener,), _, _ = socket.recv_fds(channel, 1, 1)
    names = {number: name for name, number in _NUMBERS[platform.machine()][1].items()}
    try:
        _serve(listener, names, observe)
    finally:
        os.close(listener)


def be_observed(channel: socket.socket) -> None:
    """From now on this thread, and what it starts, is held at its calls by who serves the channel."""
    socket.send_fds(channel, [b"x"], [_install()])


def _serve(listener: int, names: dict[int, str], observe: Observer) -> None:
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while True:
        events = poll.poll()[0][1]
        if not events & select.POLLIN:
            return  # the last thread with this filter has ended
        notification = bytearray(_NOTIFICATION_BYTES)
        try:
            fcntl.ioctl(listener, _RECEIVE, notification)
        except FileNotFoundError:  # the caller was killed meanwhile
            continue
        identifier, thread, _, number, _, _, *arguments = struct.unpack("=QIIiIQ6Q", notification)
        fault = observe(SystemCall(names[number], tuple(arguments), thread)) or 0
        answer = struct.pack("=QqiI", identifier, 0, -fault, 0 if fault else _CONTINUE)
        try:
            fcntl.ioctl(listener, _SEND, bytearray(answer))
        except FileNotFoundError:
            continue


def _program() -> bytes:
    """The filter, in the instructions of BPF: its own calls are told of, all others pass."""
    architecture, numbers = _NUMBERS[platform.machine()]
    load, jump_equal, give = 0x20, 0x15, 0x06
    wanted = sorted(numbers.values())
    lines = [(load, 0, 0, 4), (jump_equal, 1, 0, architecture), (give, 0, 0, _ALLOW), (load, 0, 0, 0)]
    for at, number in enumerate(wanted):
        lines.append((jump_equal, len(wanted) - at, 0, number))
    lines += [(give, 0, 0, _ALLOW), (give, 0, 0, _NOTIFY)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def _install() -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    program = _program()
    buffer = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    number = _SECCOMP_NUMBER[platform.machine()]
    listener = libc.syscall(number, _SET_MODE_FILTER, _NEW_LISTENER, described)
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return int(listener)


def _main() -> None:
    channel = int(sys.argv[1])
    with socket.socket(fileno=channel) as there:
        be_observed(there)
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    _main()
