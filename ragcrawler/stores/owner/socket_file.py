"""The Unix socket of an embedded collection: beside its folder, for its owner's user alone."""

import os
import socket
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from ragcrawler.stores.errors import StoreError

_MODE = 0o600
_LONGEST_NAME = (
    60  # bytes of `.<collection>.sock`; the system takes 107 with the path of a descriptor before it
)
_WAITING = 16


def socket_file(collection: Path) -> Path:
    """Where the socket of a collection is: beside its folder, like its lock, for that may go and come."""
    name = f".{collection.name}.sock"
    if len(name) > _LONGEST_NAME:
        name = f".{sha256(collection.name.encode()).hexdigest()[:32]}.sock"
    return collection.parent / name


def listen_at(path: Path) -> socket.socket:
    """Listen at a path in place of whatever is there; the caller owns the collection.

    Raises:
        StoreError: the socket cannot be made.
    """
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with suppress(FileNotFoundError):
            path.unlink()  # of an owner that was killed: its lock went with it
        os.fchmod(listening.fileno(), _MODE)  # before it has a name, so that no other user can ever open it
        with _Folder(path.parent) as folder:
            listening.bind(f"{folder}/{path.name}")
        path.chmod(_MODE)
        listening.listen(_WAITING)
    except OSError as error:
        listening.close()
        raise StoreError(f"Cannot make the socket {str(path)!r}: {error}.") from error
    return listening


def connect_to(path: Path) -> socket.socket | None:
    """A connection to the owner; None where no process listens."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _Folder(path.parent) as folder:
            connection.connect(f"{folder}/{path.name}")
    except OSError:
        connection.close()
        return None
    return connection


class _Folder:
    """A short path to a folder: the system takes paths of sockets up to 107 bytes only."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> str:
        self._descriptor = os.open(self._path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        return f"/proc/self/fd/{self._descriptor}"

    def __exit__(self, *exception: object) -> None:
        os.close(self._descriptor)
