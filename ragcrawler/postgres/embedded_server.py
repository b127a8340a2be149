"""A PostgreSQL server of our own, with the extension pgvector."""

import fcntl
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.driver import connect
from ragcrawler.postgres.errors import PostgresAwayError, PostgresError
from ragcrawler.postgres.programs import NOBODY, as_server, find_programs, is_root, reachable_programs

_USER = "ragcrawler"
_START_SECONDS = 60.0
_STOP_SECONDS = 60.0
_LOOK_SECONDS = 0.02
_TRIES = 3
_LOG_CHARACTERS = 2000
_OWNER_ONLY = 0o700
# The end of its input, which comes when this process ends, however that happens, ends the server too: none is
# left behind.
_UNTIL_INPUT_ENDS = """
    exec 3<&0; signal=$1; shift
    "$@" & server=$!
    (read -r end <&3; kill "-$signal" "$server") & reader=$!
    wait "$server"; kill "$reader"
"""
_FIRST_DESCRIPTOR = 20  # the shell uses low ones
_WITHOUT_SYNC = ("fsync=off", "full_page_writes=off")


class EmbeddedServer:
    """A server on loopback whose data lie in a folder; it ends with this process.

    Args:
        folder: of its data, its log and its password; made where it is not there.
        port: to listen on; 0 for any that is free.
        is_durable: whether a power cut takes nothing; tests do without.

    Raises:
        PostgresError: the package is not installed.
    """

    def __init__(self, folder: Path, *, port: int = 0, is_durable: bool = True) -> None:
        self._folder = folder.resolve()
        self._port = port
        self._is_durable = is_durable
        self._programs = find_programs()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    @property
    def address(self) -> PostgresAddress:
        """The database that is there from the beginning, and its owner, who may do everything."""
        password = self._password_file.read_text(encoding="ascii").strip()
        return PostgresAddress("127.0.0.1", self._port, _USER, password, "postgres", "disable")

    def start(self) -> None:
        """Start it, and wait until it answers; where it runs already nothing happens.

        Raises:
            PostgresError: it does not start; the message has the end of its log.
        """
        if self._process is not None:
            return
        self._programs = reachable_programs(self._programs)
        if not has_data(self._folder):
            self._make()
        for tries_left in reversed(range(_TRIES)):
            # Somebody may take the port that was free; a server that was killed frees its memory late.
            self._port = self._port or _free_port()
            self._launch()
            if self._answers():
                return
            self.stop()
            if not tries_left:
                raise PostgresError(f"the server in {self._folder} does not start: {self._end_of_log()}")

    def stop(self) -> None:
        """End it in order; calling it twice is fine."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None  # noqa: S101 - it is a pipe
            process.stdin.close()
            process.wait(_STOP_SECONDS)

    def kill(self) -> None:
        """End it as a crash does, by the id that it wrote down; `start` brings it back on the same port."""
        pid = int((self._data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(pid, 9)
        self.stop()

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _log(self) -> Path:
        return self._folder / "server.log"

    @property
    def _password_file(self) -> Path:
        return self._folder / "password"

    def _make(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._password_file.touch(_OWNER_ONLY)
        self._password_file.write_text(secrets.token_urlsafe(24), encoding="ascii")
        if is_root():
            for path in (self._folder, self._password_file):
                os.chown(path, NOBODY, NOBODY)
        self._folder.chmod(_OWNER_ONLY)
        with self._reached_folder() as (folder, descriptors):
            command = [
                *(str(self._programs / "initdb"), f"--pgdata={folder}/data", f"--username={_USER}"),
                *("--encoding=UTF8", "--locale=C", "--auth=scram-sha-256", f"--pwfile={folder}/password"),
                *(() if self._is_durable else ("--no-sync",)),
            ]
            made = subprocess.run(  # noqa: S603 - a program of the package
                command,
                capture_output=True,
                text=True,
                check=False,
                cwd="/",
                pass_fds=descriptors,
                **as_server(),
            )
        if made.returncode:
            reason = " ".join((made.stderr or made.stdout).split())
            raise PostgresError(f"no server can be made in {self._folder}: {reason}")

    def _launch(self) -> None:
        options = [
            f"port={self._port}",
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "shared_buffers=32MB",
            *(() if self._is_durable else _WITHOUT_SYNC),
        ]
        with self._log.open("ab") as log, self._reached_folder() as (folder, descriptors):
            command = [
                *("/bin/sh", "-c", _UNTIL_INPUT_ENDS, "sh", "INT" if self._is_durable else "QUIT"),
                *(str(self._programs / "postgres"), "-D", f"{folder}/data"),
                *(part for option in options for part in ("-c", option)),
            ]
            self._process = subprocess.Popen(  # noqa: S603 - a program of the package
                command,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd="/",
                pass_fds=descriptors,
                start_new_session=True,  # Ctrl-C is for us: we stop it when we are done
                **as_server(),
            )

    @contextmanager
    def _reached_folder(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The folder by a name that leads its user there, and the descriptors which that takes.

        What lies above it may be closed to this user, as root's home is; a descriptor goes past that.
        """
        if not is_root():
            yield str(self._folder), ()
            return
        opened = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            descriptor = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, _FIRST_DESCRIPTOR)
        finally:
            os.close(opened)
        try:
            yield f"/proc/self/fd/{descriptor}", (descriptor,)
        finally:
            os.close(descriptor)

    def _answers(self) -> bool:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                return False
            try:
                connect(self.address).close()
            except PostgresAwayError:
                time.sleep(_LOOK_SECONDS)
            else:
                return True
        return False

    def _end_of_log(self) -> str:
        return " ".join(self._log.read_text(encoding="utf-8", errors="replace")[-_LOG_CHARACTERS:].split())


def has_data(folder: Path) -> bool:
    """Whether a server was ever made in a folder."""
    return (folder / "data" / "PG_VERSION").exists()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
