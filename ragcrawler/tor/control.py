"""Commands to a running Tor client (control-spec, https://spec.torproject.org/control-spec/)."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.tor.errors import TorError

_ANSWER_SECONDS = 10.0
_MOST_ANSWER_LINES = 100
_PROGRESS = re.compile(r"PROGRESS=(\d+)")


@dataclass(frozen=True, slots=True)
class ControlPort:
    """A client's control port; each command opens a connection of its own.

    Attributes:
        address: `host:port`.
        cookie_file: whoever can read it may command the client.
    """

    address: str
    cookie_file: Path

    async def bootstrap_progress(self) -> int:
        """How far the client is connected, in percent.

        Raises:
            TorError: the client does not answer, or refuses.
        """
        found = _PROGRESS.search(await self._command("GETINFO status/bootstrap-phase"))
        return int(found[1]) if found else 0

    async def socks_address(self) -> str:
        """`host:port` of the client's SOCKS listener.

        Raises:
            TorError: the client does not answer, refuses, or has no listener.
        """
        found = re.search(r'"([^" ]+:\d+)"', await self._command("GETINFO net/listeners/socks"))
        if found is None:
            raise TorError(f"the Tor client at {self.address} has no SOCKS listener")
        return found[1]

    async def new_circuits(self) -> None:
        """Let connections from now on leave by other circuits; Tor does it at most every 10 seconds.

        Raises:
            TorError: the client does not answer, or refuses.
        """
        await self._command("SIGNAL NEWNYM")

    async def _command(self, command: str) -> str:
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await self._answer(command)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError) as error:
            raise TorError(f"the Tor client at {self.address} does not answer: {error!r}") from error

    async def _answer(self, command: str) -> str:
        cookie = self.cookie_file.read_bytes().hex()
        host, _, port = self.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(f"AUTHENTICATE {cookie}\r\n".encode())
            await _reply(reader, "AUTHENTICATE")
            writer.write(f"{command}\r\n".encode())
            return await _reply(reader, command)
        finally:
            writer.close()
            with suppress(OSError):  # the client is gone; its answer is read
                await writer.wait_closed()


async def _reply(reader: asyncio.StreamReader, command: str) -> str:
    lines = []
    for _ in range(_MOST_ANSWER_LINES):
        line = (await reader.readuntil(b"\r\n")).decode("ascii", "replace").rstrip("\r\n")
        lines.append(line)
        if line[3:4] == " ":  # "250-" and "250+" announce more
            break
    if not lines[-1].startswith("250 "):
        raise TorError(f"Tor refuses {command}: {lines[-1]}")
    return "\n".join(lines)
