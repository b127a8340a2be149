"""How parent and worker talk: pickles, each behind its length, over a stream socket."""

import asyncio
import pickle
import struct
from dataclasses import dataclass
from io import BufferedIOBase
from typing import Any, Literal

_LENGTH = struct.Struct("!Q")


@dataclass(frozen=True, slots=True)
class WorkerInit:
    """The first frame a worker gets: what it is there for.

    Attributes:
        call: pickled by reference (functions, classes) or by value (instances, partials).
        memory_bytes: private memory the process may take.
        result_bytes: longest pickled result it may send.
    """

    call: Any
    memory_bytes: int
    result_bytes: int


@dataclass(frozen=True, slots=True)
class WorkerReply:
    """The reply of a worker to a frame.

    Attributes:
        outcome: "result" also answers the order, with `value` None.
        value: the result, or the exception.
        traceback: the worker's own, "" for a result.
        cpu_seconds: user and system time of the process and its children, since it was forked.
        peak_bytes: the largest resident size of the process so far.
    """

    outcome: Literal["result", "error"]
    value: Any
    traceback: str
    cpu_seconds: float
    peak_bytes: int


def pack(value: object) -> bytes:
    """The frame of a value.

    Raises:
        Exception: whatever pickling the value raises.
    """
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def read(stream: BufferedIOBase) -> Any:
    """The next value from a blocking stream.

    Raises:
        EOFError: the other side has gone.
    """
    header = stream.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    return pickle.loads(stream.read(_LENGTH.unpack(header)[0]))  # noqa: S301  both ends are ours


async def receive(reader: asyncio.StreamReader) -> Any:
    """The next value from an asyncio stream.

    Raises:
        EOFError: the other side has gone.
        OSError: likewise, in the middle of something.
    """
    header = await reader.readexactly(_LENGTH.size)
    return pickle.loads(await reader.readexactly(_LENGTH.unpack(header)[0]))  # noqa: S301  both ends are ours
