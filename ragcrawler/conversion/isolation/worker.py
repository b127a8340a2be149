"""The parent's end of one worker process."""

import asyncio
import socket
from contextlib import suppress
from typing import Self

from ragcrawler.conversion.isolation.fork_server_process import kill
from ragcrawler.conversion.isolation.frames import WorkerReply, receive

_READ_AHEAD_BYTES = 1024 * 1024


class Worker:
    """A process and the socket to it.

    Attributes:
        process_id: of the worker, which leads its own process group.
        jobs: jobs it has answered.
        cpu_seconds: what it had used when it last answered.
    """

    def __init__(self, process_id: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.process_id = process_id
        self.jobs = 0
        self.cpu_seconds = 0.0
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, process_id: int, door: socket.socket) -> Self:
        """Take over the parent's end of the socket."""
        return cls(process_id, *await asyncio.open_unix_connection(sock=door, limit=_READ_AHEAD_BYTES))

    async def exchange(self, frame: bytes) -> WorkerReply:
        """Send a frame, wait for the answer.

        Raises:
            EOFError: the worker has gone.
            OSError: likewise.
        """
        self._writer.write(frame)
        await self._writer.drain()
        reply: WorkerReply = await receive(self._reader)
        return reply

    async def kill(self) -> None:
        """End the process and what it started, and close the socket; the fork server still has to reap it."""
        kill(self.process_id)
        self._writer.transport.abort()
        with suppress(OSError):
            await self._writer.wait_closed()
