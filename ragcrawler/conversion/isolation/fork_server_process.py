"""The life of the fork server: a process that imports the heavy modules once and forks the workers."""

import gc
import importlib
import os
import signal
import socket
import struct
import traceback
from collections.abc import Sequence
from contextlib import suppress

from ragcrawler.conversion.isolation.frames import pack
from ragcrawler.conversion.isolation.worker_process import run_to_the_end, usage

FORK = b"f"
REAP = b"r"
PROCESS_ID = struct.Struct("!q")
EXIT_STATE = struct.Struct("!qdq")
"""Wait status, CPU seconds, peak resident bytes of a worker that ended."""


def main(door_descriptor: int, preload: Sequence[str]) -> None:
    """Import, then answer the parent until it closes its end or dies: no worker outlives that."""
    # Ctrl-C and the signals of a service manager are the parent's to judge: it ends its workers itself.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with socket.socket(fileno=door_descriptor) as door, suppress(ConnectionError):
        problem = _import(preload)
        door.sendall(pack(problem))
        if not problem:
            gc.freeze()  # a collection in a worker would touch, and so copy, every shared page
            _answer(door)
            os._exit(0)  # taking down all the modules would only take time


def _import(names: Sequence[str]) -> str:
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:  # noqa: BLE001  importing runs foreign code; the parent reports what it raised
            return f"{name!r} could not be imported:\n{traceback.format_exc()}"
    return ""


def _answer(door: socket.socket) -> None:
    workers: set[int] = set()
    try:
        while request := socket.recv_fds(door, 1 + PROCESS_ID.size, 1):
            message, descriptors = request[0], request[1]
            if not message:
                return
            if message == FORK:
                process_id = _fork(door, descriptors[0])
                workers.add(process_id)
                door.sendall(PROCESS_ID.pack(process_id))
            else:
                process_id = PROCESS_ID.unpack(message[1:])[0]
                door.sendall(_reap(process_id))
                workers.discard(process_id)
    finally:
        for process_id in workers:
            kill(process_id)
            _reap(process_id)  # its CPU time is then part of what the parent can ask of its children


def _fork(door: socket.socket, descriptor: int) -> int:
    process_id = os.fork()
    if process_id == 0:
        door.close()
        os.setpgid(0, 0)
        run_to_the_end(socket.socket(fileno=descriptor))
    os.close(descriptor)
    # Both sides set it, or a kill could come before the child has set its own.
    with suppress(OSError):
        os.setpgid(process_id, process_id)
    return process_id


def _reap(process_id: int) -> bytes:
    try:
        status, measured = os.wait4(process_id, 0)[1:]
    except ChildProcessError:  # the child of a fork server that has died
        return EXIT_STATE.pack(-1, 0.0, 0)
    return EXIT_STATE.pack(status, *usage(measured))


def kill(process_id: int) -> None:
    """End a worker and what it started, at once; one that has ended already is no error."""
    with suppress(ProcessLookupError, PermissionError):  # macOS refuses the group of a zombie
        os.killpg(process_id, signal.SIGKILL)
