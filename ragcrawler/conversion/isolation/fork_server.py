"""The parent's end of the fork server."""

import asyncio
import os
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from typing import Any, NamedTuple

from ragcrawler.conversion.isolation.errors import ForkServerFailed
from ragcrawler.conversion.isolation.fork_server_process import EXIT_STATE, FORK, PROCESS_ID, REAP
from ragcrawler.conversion.isolation.frames import receive

# The pool is the parallelism: a numeric library with threads of its own in each worker only gets in its way,
# and threads do not survive a fork.
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_LAST_WORD_SECONDS = 5.0
_BROKEN = (EOFError, OSError)


class WorkerExit(NamedTuple):
    """The end of a worker; `status` as `os.wait` gives it, -1 where it is unknown."""

    status: int
    cpu_seconds: float
    peak_bytes: int


_UNKNOWN = WorkerExit(-1, 0.0, 0)


class _Link(NamedTuple):
    process: subprocess.Popen[bytes]
    door: socket.socket
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class ForkServer:
    """Starts the process that forks workers when the first one is wanted, and again if it has died.

    `multiprocessing`'s forkserver is not used: there is one per program, it imports the program's main module
    into each worker, outlives the pool, and leaves busy workers behind when the program is killed.
    """

    def __init__(self, preload: tuple[str, ...], start_seconds: float) -> None:
        self._preload = preload
        self._start_seconds = start_seconds
        self._link: _Link | None = None
        self._has_imported = False
        self._turn = asyncio.Lock()  # requests are answered in order: one at a time keeps them apart

    async def start(self) -> None:
        """Begin to import, and do not wait until it is done."""
        async with self._turn:
            await self._connect()

    async def fork(self) -> tuple[int, socket.socket]:
        """A new worker: its process id and the parent's end of its socket.

        Raises:
            ForkServerFailed: a module to preload cannot be imported, or takes longer than `start_seconds`.
        """
        async with self._turn:
            try:
                return await self._fork()
            except _BROKEN:  # it has died since it was last used
                await self._disconnect()
            try:
                return await self._fork()
            except _BROKEN as error:
                await self._disconnect()
                raise ForkServerFailed(f"the process that forks workers died: {error!r}") from error

    async def reap(self, process_id: int) -> WorkerExit:
        """Wait for the end of a worker and return its exit status and usage."""
        async with self._turn:
            link = self._link
            if link is None or link.process.poll() is not None:
                return _UNKNOWN
            try:
                link.door.send(REAP + PROCESS_ID.pack(process_id))
                return WorkerExit(*await self._answer(link, EXIT_STATE))
            except _BROKEN:
                await self._disconnect()
                return _UNKNOWN

    async def close(self) -> None:
        """End the process; workers that wait for a job end with it."""
        async with self._turn:
            await self._disconnect()

    async def _fork(self) -> tuple[int, socket.socket]:
        link = await self._connect()
        if not self._has_imported:
            await self._wait_for_imports(link)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(link.door, [FORK], [theirs.fileno()])
            return (await self._answer(link, PROCESS_ID))[0], ours
        except BaseException:
            ours.close()
            raise

    async def _wait_for_imports(self, link: _Link) -> None:
        try:
            async with asyncio.timeout(self._start_seconds):
                problem = await receive(link.reader)
        except TimeoutError:
            problem = f"{', '.join(self._preload)} took over {self._start_seconds} s to import"
        if problem:
            await self._disconnect()
            raise ForkServerFailed(problem)
        self._has_imported = True

    async def _connect(self) -> _Link:
        if self._link is not None and self._link.process.poll() is None:
            return self._link
        await self._disconnect()
        ours, theirs = socket.socketpair()
        with theirs:
            process = _popen(theirs.fileno(), self._preload)
        try:
            self._link = _Link(process, ours, *await asyncio.open_unix_connection(sock=ours))
        except BaseException:  # cancelled: no other code knows of the process
            process.kill()
            process.wait()
            raise
        return self._link

    async def _disconnect(self) -> None:
        if self._link is None:
            return
        link, self._link = self._link, None
        if self._has_imported:  # there may be workers: the fork server ends them and adds up their CPU time
            with suppress(TimeoutError, OSError):
                link.writer.write_eof()
                async with asyncio.timeout(_LAST_WORD_SECONDS):
                    await link.reader.read()
        link.process.kill()
        link.process.wait()
        link.writer.transport.abort()
        with suppress(OSError):
            await link.writer.wait_closed()
        self._has_imported = False

    @staticmethod
    async def _answer(link: _Link, layout: struct.Struct) -> tuple[Any, ...]:
        return layout.unpack(await link.reader.readexactly(layout.size))


def _popen(descriptor: int, preload: tuple[str, ...]) -> subprocess.Popen[bytes]:
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; "
        "from ragcrawler.conversion.isolation.fork_server_process import main; "
        f"main({descriptor}, {preload!r})"
    )
    return subprocess.Popen(  # noqa: S603  our own interpreter and code
        [sys.executable, "-c", code],
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=2,  # what a library prints must not end up among the results of a command
        env=_ONE_THREAD | os.environ,
        start_new_session=True,  # Ctrl-C in the terminal goes to the parent alone
    )
