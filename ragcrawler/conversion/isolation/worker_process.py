"""The life of a worker process, from the fork to the end of its socket."""

import os
import pickle
import resource
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from typing import Any, Literal

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.isolation.errors import JobFailed
from ragcrawler.conversion.isolation.frames import WorkerInit, WorkerReply, pack, read

# `getrusage` counts kilobytes on Linux and bytes on macOS.
_RESIDENT_UNIT = 1 if sys.platform == "darwin" else 1024

OUT_OF_MEMORY = 75
"""Exit code of a worker that met its limit; it cannot always say so, as its parent may still be writing."""


def serve(door: socket.socket) -> None:
    """Do jobs until the parent closes its end of the socket.

    The socket stays open: to the parent its end means that the process has ended, and how can be asked.
    """
    _limit(resource.RLIMIT_CORE, 0)
    with suppress(OSError):  # Linux: where the machine's memory ends, the crawl is not the one to go
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    with door.makefile("rb") as stream:
        try:
            order: WorkerInit = read(stream)
        except EOFError:
            return
        except Exception as error:  # noqa: BLE001  the parent reports it, whatever it is
            door.sendall(pack(_failure(error)))
            return
        # On Linux RLIMIT_DATA counts what is mapped privately and for writing: what a job chooses to take.
        # RLIMIT_AS counts libraries, mapped files and reserved arenas too (8 idle threads: 588 MB against
        # 69), and a look at the resident size from outside comes too late for a process that takes 2 GB/s.
        _limit(resource.RLIMIT_DATA, order.memory_bytes)
        door.sendall(pack(_reply("result", None)))
        _do_jobs(order, stream, door)


def usage(measured: resource.struct_rusage) -> tuple[float, int]:
    """CPU seconds and peak resident bytes of what `getrusage` or `wait4` measured."""
    return measured.ru_utime + measured.ru_stime, measured.ru_maxrss * _RESIDENT_UNIT


def _do_jobs(order: WorkerInit, stream: BufferedIOBase, door: socket.socket) -> None:
    while True:
        try:
            job = read(stream)
        except EOFError:
            return
        except MemoryError:  # the place in the stream where it stopped is not known
            raise
        except Exception as error:  # noqa: BLE001  a job that cannot be unpickled is one lost job
            answer = pack(_failure(error))
        else:
            answer = _do(order.call, job, order.result_bytes)
            del job
        door.sendall(answer)


def _do(call: Callable[[Any], Any], job: Any, result_bytes: int) -> bytes:
    """The frame of the outcome."""
    try:
        return _result(call(job), result_bytes)
    except MemoryError:  # a library may be left in an unknown state
        raise
    except Exception as error:  # noqa: BLE001  it is the caller's: it travels back to it
        return pack(_failure(error))


def _result(value: object, result_bytes: int) -> bytes:
    answer = pack(_reply("result", value))
    if len(answer) > result_bytes:
        raise ConversionError("too_large", f"the result has {len(answer)} bytes, {result_bytes} are allowed")
    return answer


def _failure(error: Exception) -> WorkerReply:
    text = "".join(traceback.format_exception(error))
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  just made here
    except Exception:  # noqa: BLE001  a class may do anything in its own pickling
        error = JobFailed(f"{type(error).__qualname__}: {error}")
    return _reply("error", error, text)


def _reply(outcome: Literal["result", "error"], value: object, traceback_text: str = "") -> WorkerReply:
    cpu_seconds, peak_bytes = usage(resource.getrusage(resource.RUSAGE_SELF))
    cpu_seconds += usage(resource.getrusage(resource.RUSAGE_CHILDREN))[0]
    return WorkerReply(outcome, value, traceback_text, cpu_seconds, peak_bytes)


def _limit(kind: int, amount: int) -> None:
    hard = resource.getrlimit(kind)[1]
    soft = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.setrlimit(kind, (soft, hard))


def run_to_the_end(door: socket.socket) -> None:
    """Serve, then leave the process without the clean-up that belongs to the one it was forked from."""
    status = 0
    try:
        serve(door)
    except OSError:
        status = 0  # the parent closed its end while a reply was under way
    except MemoryError:
        status = OUT_OF_MEMORY
    except BaseException:  # noqa: BLE001  SystemExit, say: the process ends, and its status tells
        status = 1
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
