"""One Tor client and the HTTP proxy before it, as processes."""

import asyncio
import logging
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress

from ragcrawler.tor.configuration_files import (
    CONTROL_PORT_FILE,
    COOKIE_FILE,
    LOG_FILE,
    privoxy_configuration,
    torrc,
)
from ragcrawler.tor.control import ControlPort
from ragcrawler.tor.errors import TorError
from ragcrawler.tor.exits import TorExit
from ragcrawler.tor.options import TorOptions
from ragcrawler.tor.programs import Programs

logger = logging.getLogger(__name__)

_POLL_SECONDS = 0.2
_STOP_SECONDS = 5.0
_CONNECTED = 100
_LOG_BYTES = 2_000


class TorInstance:
    """Starts and ends one pair of processes.

    Args:
        number: of the pair, from 0; decides its folder and its port.
        options: of the pool.
        programs: where tor and privoxy are.
    """

    def __init__(self, number: int, options: TorOptions, programs: Programs) -> None:
        self.proxy = f"http://127.0.0.1:{options.first_port + number}"
        self._folder = options.folder / f"client-{number}"
        self._port = options.first_port + number
        self._options = options
        self._programs = programs
        self._tor: Process | None = None
        self._privoxy: Process | None = None

    async def start(self) -> TorExit:
        """Start both and wait until the client is connected.

        Raises:
            TorError: a process ends at once; its own last words are in the message.
        """
        self._clear_folder()
        self._tor = await self._spawn_tor()
        control = await self._control()
        while await self._progress(control) < _CONNECTED:  # noqa: ASYNC110 - another process tells
            await asyncio.sleep(_POLL_SECONDS)
        self._privoxy = await self._spawn_privoxy(await control.socks_address())
        await self._wait_for_proxy()
        return TorExit(self.proxy, control)

    async def wait_for_end(self) -> str:
        """Wait until one of the two ends; its name."""
        running = {
            asyncio.create_task(process.wait(), name=name)
            for name, process in (("tor", self._tor), ("privoxy", self._privoxy))
            if process is not None
        }
        try:
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in running:
                task.cancel()
        return " and ".join(sorted(task.get_name() for task in done))

    async def stop(self) -> None:
        """End both, politely first."""
        for process in (self._privoxy, self._tor):
            if process is not None and process.returncode is None:
                process.terminate()
        for process in (self._privoxy, self._tor):
            if process is not None:
                await _wait_for_end(process)
        self._tor = self._privoxy = None

    def _clear_folder(self) -> None:
        """Keep what Tor knows of the network, and forget the addresses of the process before."""
        (self._folder / "data").mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in (CONTROL_PORT_FILE, COOKIE_FILE, LOG_FILE):
            (self._folder / name).unlink(missing_ok=True)
        configuration = torrc(self._folder, self._options)
        (self._folder / "torrc").write_text(configuration, encoding="utf-8")
        (self._folder / "defaults").touch()

    async def _spawn_tor(self) -> Process:
        files = ("-f", str(self._folder / "torrc"), "--defaults-torrc", str(self._folder / "defaults"))
        return await asyncio.create_subprocess_exec(
            self._programs.tor, *files, "--hush", stdin=DEVNULL, stdout=PIPE, stderr=asyncio.subprocess.STDOUT
        )

    async def _spawn_privoxy(self, socks_address: str) -> Process:
        configuration = self._folder / "privoxy.conf"
        text = privoxy_configuration(self._folder, self._port, socks_address)
        configuration.write_text(text, encoding="utf-8")
        command = (*self._programs.tied, self._programs.privoxy, "--no-daemon", str(configuration))
        return await asyncio.create_subprocess_exec(
            *command, stdin=DEVNULL, stdout=DEVNULL, stderr=(self._folder / "privoxy.log").open("wb")
        )

    async def _control(self) -> ControlPort:
        """Tor writes the address of its control port before the cookie that opens it: both are waited for."""
        path, cookie = self._folder / CONTROL_PORT_FILE, self._folder / COOKIE_FILE
        while True:
            await self._check_tor()
            if cookie.exists() and path.exists() and (line := path.read_text(encoding="ascii").strip()):
                return ControlPort(line.partition("=")[2], cookie)
            await asyncio.sleep(_POLL_SECONDS)

    async def _progress(self, control: ControlPort) -> int:
        await self._check_tor()
        try:
            return await control.bootstrap_progress()
        except TorError:
            await self._check_tor()  # it ended meanwhile: that is the better message
            raise

    async def _check_tor(self) -> None:
        if self._tor is None or self._tor.returncode is None:
            return
        said = await self._tor.stdout.read(_LOG_BYTES) if self._tor.stdout else b""
        raise TorError(
            f"tor ended with code {self._tor.returncode}: {said.decode('utf-8', 'replace').strip()}"
        )

    async def _wait_for_proxy(self) -> None:
        while True:
            if self._privoxy is not None and self._privoxy.returncode is not None:
                said = (self._folder / "privoxy.log").read_bytes()[-_LOG_BYTES:].decode("utf-8", "replace")
                raise TorError(f"privoxy ended at {self.proxy}; is the port in use? {said.strip()}")
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self._port)
            except ConnectionRefusedError:
                await asyncio.sleep(_POLL_SECONDS)
                continue
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
            return


async def _wait_for_end(process: Process) -> None:
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
