"""Programs of Python that begin with Scrapy and our commands imported, and so do their workers."""

import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import IO, Self

from ragcrawler.conversion.isolation import fork_server
from tests.warm_process import PROJECT, Call, Fork

Python = Callable[..., "WarmPython"]
ERROR = 2
# What such a process imports.
IMPORTED = ("tests.warm_imports", "tests.warm_python")


class WarmPython(Fork):
    """`python ARGUMENTS` with pipes for what it says, as `subprocess.Popen` has them.

    Args:
        address: of a process that has imported what the program needs.
        workers: address of one for the workers of its crawls.
        arguments: `-m MODULE ...` or `-c CODE ...`.
        folder: the working directory.
        environment: all of it; this process's by default.
        text: its standard input.
    """

    def __init__(
        self,
        address: str,
        workers: str,
        *arguments: str,
        folder: Path = PROJECT,
        environment: Mapping[str, str] | None = None,
        text: str = "",
    ) -> None:
        self.args = arguments
        call = Call(
            "tests.warm_python:run", (workers, arguments), str(folder), dict(environment or os.environ)
        )
        read_input, write_input = os.pipe()
        read_output, write_output = os.pipe()
        read_error, write_error = os.pipe()
        super().__init__(address, call, (read_input, write_output, write_error))
        for descriptor in (read_input, write_output, write_error):
            os.close(descriptor)
        with open(write_input, "w", encoding="utf-8") as stdin:  # noqa: PTH123 - a descriptor
            stdin.write(text)
        self.stdout: IO[str] = open(read_output, encoding="utf-8")  # noqa: PTH123, SIM115 - a descriptor
        self.stderr: IO[str] = open(read_error, encoding="utf-8")  # noqa: PTH123, SIM115 - a descriptor

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All that it says until it ends."""
        said: dict[IO[str], str] = {}
        readers = [
            Thread(target=lambda stream=stream: said.update({stream: stream.read()}), daemon=True)
            for stream in (self.stdout, self.stderr)
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout)
            if reader.is_alive():
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
        self.__exit__()
        return said[self.stdout], said[self.stderr]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        self.stderr.close()
        self.wait()


def completed(program: WarmPython, timeout: float = 120) -> "subprocess.CompletedProcess[str]":
    """Wait for the end."""
    stdout, stderr = program.communicate(timeout)
    return subprocess.CompletedProcess(program.args, program.wait(), stdout, stderr)


def worker_starter(address: str) -> Callable[[int, tuple[str, ...]], Fork]:
    """What stands for `fork_server._popen`: the server of a pool begins with all imported."""

    def popen(descriptor: int, preload: tuple[str, ...]) -> Fork:
        main = Call("ragcrawler.conversion.isolation.fork_server_process:main", (preload,))
        with Path(os.devnull).open() as nothing:
            return Fork(address, main, (nothing.fileno(), ERROR, ERROR, descriptor))

    return popen


def run(workers: str, arguments: tuple[str, ...]) -> None:
    """Be `python ARGUMENTS`."""
    fork_server._popen = worker_starter(workers)  # type: ignore[assignment]
    sys.path[:0] = [str(Path.cwd()), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    option, what, *rest = arguments
    if option == "-m":
        sys.argv = [what, *rest]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.argv = [option, *rest]
        exec(what, {"__name__": "__main__"})
