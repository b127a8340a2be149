"""Messages between the owner of a collection and others: four bytes of length, then JSON."""

import json
import socket
import struct
from typing import Any

_LENGTH = struct.Struct(">I")
_MOST_BYTES = 256 * 2**20


def send(connection: socket.socket, message: Any) -> None:
    """Send a message of JSON values.

    Raises:
        ValueError: it is larger than a message may be.
        OSError: the connection is broken.
    """
    content = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(content) > _MOST_BYTES:
        raise ValueError(f"A message of {len(content):,} bytes is too large.")
    connection.sendall(_LENGTH.pack(len(content)) + content)


def receive(connection: socket.socket) -> Any:
    """The next message; None where the other side has closed the connection.

    Raises:
        ValueError: it is no message.
        OSError: the connection is broken.
    """
    head = _read(connection, _LENGTH.size)
    if not head:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > _MOST_BYTES:
        raise ValueError(f"A message of {length:,} bytes is too large.")
    return json.loads(_read(connection, length))


def _read(connection: socket.socket, length: int) -> bytes:
    """So many bytes; none where the connection ends before the first.

    Raises:
        ConnectionError: it ends within them.
    """
    content = bytearray()
    while len(content) < length:
        part = connection.recv(min(length - len(content), 2**20))
        if not part and content:
            raise ConnectionError("the connection ended within a message")
        if not part:
            break
        content += part
    return bytes(content)
