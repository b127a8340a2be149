"""A Redis server on this machine, for tests."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import redis

PROGRAM = shutil.which("redis-server")
MISSING = "redis-server is not installed"
_OPTIONS = ("--save", "", "--appendonly", "yes", "--appendfsync", "everysec")
_START_SECONDS = 30.0
_LOOK_SECONDS = 0.02


class RedisProcess:
    """Keeps what it is told in a file: a server that was killed and started again knows all."""

    def __init__(self, folder: Path, options: Sequence[str] = ()) -> None:
        self._folder = folder
        self._options = options
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                *map(str, (PROGRAM, "--port", self.port, "--bind", "127.0.0.1", "--dir", self._folder)),
                *_OPTIONS,
                *self._options,
            ],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError(f"redis-server on port {self.port} did not start")
            time.sleep(_LOOK_SECONDS)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def send(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def _answers(self) -> bool:
        client = redis.Redis(port=self.port, retry=None)
        try:
            return bool(client.ping())
        except redis.AuthenticationError:
            return True
        except redis.ConnectionError:
            return False
        finally:
            client.close()
