"""Processes that begin with their modules imported: forks of one process that has imported them.

To import what a worker or a command needs takes most of a second, and tests start hundreds of them. What runs
in the fork is the program's own code. That programs start from nothing as well is shown by tests/deployment,
tests/conversion/test_conversion_isolation_start.py and tests/commands/test_commands_start.py.
"""

import atexit
import gc
import importlib
import os
import pickle
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

PROJECT = Path(__file__).parents[1]
# Threads of a numeric library do not survive a fork.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
REQUEST_BYTES = 1 << 20
DESCRIPTORS = 8


@dataclass(frozen=True)
class Call:
    """What a fork does.

    Attributes:
        function: "module:name"; gets the descriptors that came after the first three, then `arguments`.
        arguments: of the function.
        folder: the working directory.
        environment: all of it.
    """

    function: str
    arguments: tuple[Any, ...] = ()
    folder: str = field(default_factory=os.getcwd)
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))


class Fork:
    """A process, with the part of `subprocess.Popen` that does without being its parent.

    Args:
        address: of the process that is forked.
        call: what the fork does.
        descriptors: the first three become its standard streams.
    """

    def __init__(self, address: str, call: Call, descriptors: Sequence[int]) -> None:
        self._status = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._status.connect(address)
        socket.send_fds(self._status, [pickle.dumps(call)], descriptors)
        message, (self._process, *_), *_ = socket.recv_fds(self._status, 32, 1)
        self.pid = int(message)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """Wait for the end; minus the number of the signal where one ended it."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(int(self._status.recv(32)))
            self._status.close()
            os.close(self._process)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """One that has ended gets none."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


class WarmProcess:
    """Starts the process that imports, and forks of it.

    Args:
        modules: to import once.
    """

    def __init__(self, *modules: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="warm")
        self.address = f"{self._folder.name}/door"
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
            door.bind(self.address)
            door.listen(16)
            # Not as a program by its path: what is pickled names the module.
            code = "import sys; from tests.warm_process import main; main(*sys.argv[1:])"
            command = [sys.executable, "-c", code, str(door.fileno()), *modules]
            given = os.environ | ONE_THREAD | {"PYTHONPATH": str(PROJECT)}
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                command, pass_fds=[door.fileno()], stdin=subprocess.PIPE, env=given
            )

    def close(self) -> None:
        """End it, and the forks that still run."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


class Server:
    """The life of the process that imports: it forks until its stdin is closed."""

    def __init__(self, door: socket.socket) -> None:
        self._door = door
        self._selector = selectors.DefaultSelector()
        self._selector.register(door, selectors.EVENT_READ)
        self._selector.register(sys.stdin, selectors.EVENT_READ)

    def next_call(self) -> tuple[Call, list[int]] | None:
        """Return in each fork with its call, and in the process itself with None, at the end."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    self._end_forks()
                    return None
                if key.fileobj is self._door:
                    call = self._fork()
                    if call:
                        return call
                else:
                    self._tell_end(key)

    def _end_forks(self) -> None:
        for key in self._selector.get_map().values():
            if key.data:
                signal.pidfd_send_signal(key.fd, signal.SIGKILL)

    def _fork(self) -> tuple[Call, list[int]] | None:
        status = self._door.accept()[0]
        message, descriptors, *_ = socket.recv_fds(status, REQUEST_BYTES, DESCRIPTORS)
        process_id = os.fork()
        if process_id == 0:
            for key in self._selector.get_map().values():
                if key.data:
                    key.data[1].close()
                    os.close(key.fd)
            self._selector.close()
            status.close()
            self._door.close()
            return pickle.loads(message), descriptors
        for descriptor in descriptors:
            os.close(descriptor)
        end = os.pidfd_open(process_id)
        socket.send_fds(status, [b"%d" % process_id], [end])
        self._selector.register(end, selectors.EVENT_READ, (process_id, status))
        return None

    def _tell_end(self, key: selectors.SelectorKey) -> None:
        process_id, status = key.data
        self._selector.unregister(key.fd)
        os.close(key.fd)
        with suppress(BrokenPipeError):
            status.send(b"%d" % os.waitpid(process_id, 0)[1])
        status.close()


def run(call: Call, descriptors: list[int]) -> None:
    """Become what was called for."""
    for number in range(3):
        os.dup2(descriptors[number], number)
        os.close(descriptors[number])
    os.setsid()
    os.chdir(call.folder)
    os.environ.clear()
    os.environ.update(call.environment)
    module, name = call.function.split(":")
    function: Callable[..., None] = getattr(importlib.import_module(module), name)
    function(*descriptors[3:], *call.arguments)


def run_to_the_end(call: Call, descriptors: list[int]) -> NoReturn:
    """Run and exit as the interpreter does, without taking down modules, which copies every shared page."""
    code: object = None
    try:
        run(call, descriptors)
    except SystemExit as error:
        code = error.code
    threading._shutdown()
    atexit._run_exitfuncs()
    if code is not None and not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit((code & 0xFF) if isinstance(code, int) else int(code is not None))


def main(door_descriptor: str, *modules: str) -> None:
    for name in modules:
        importlib.import_module(name)
    gc.freeze()  # a collection in a fork would touch, and so copy, every page that they share
    with socket.socket(fileno=int(door_descriptor)) as door:
        call = Server(door).next_call()
    if call:
        run_to_the_end(*call)
