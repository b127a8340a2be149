"""A connection as pg8000 makes it, and what its errors mean."""

import socket
import ssl
import struct
from typing import Any

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.errors import PostgresAwayError, PostgresError

LEAST_VERSION = 14
_CONNECT_SECONDS = 10.0
# A statement may take long; a machine that died is noticed by the keepalive.
_ANSWER_SECONDS = 600.0
_KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 4}
_SSL_REQUEST = struct.pack("!ii", 8, 80877103)
_DRIVER = {"pg8000", "scramp"}
_LOST = ("network error", "connection is closed")
_CODES_OF_LOSS = ("57P01", "57P02", "57P03", "53300")  # it shuts down, has crashed, starts, is full
_CLASS_OF_LOSS = "08"
_REFUSED = "28"
_NO_DATABASE = "3D000"
_NO_RIGHT = "42501"
# A worker that hangs in the middle of a transaction must not keep its locks; nor one whose machine is gone.
_SESSION = """
    SET idle_in_transaction_session_timeout = '60s';
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4;
    SET client_min_messages = 'warning'; SET TIME ZONE 'UTC';
"""


def connect(address: PostgresAddress) -> Any:
    """A `pg8000.native.Connection`.

    Raises:
        PostgresAwayError: the server does not answer.
        PostgresError: the server refuses us, or is too old; or pg8000 is not installed.
    """
    native = _library()
    try:
        connection = native.Connection(
            address.user,
            host=address.host,
            password=address.password,
            database=address.database,
            sock=_socket(address),
            ssl_context=False,  # the socket is encrypted already
            application_name="ragcrawler",
        )
        version = str(connection.parameter_statuses["server_version"])
        connection.run(_SESSION)
    except PostgresError:
        raise
    except Exception as error:
        raise explained(error, address) from error
    if int(version.partition(".")[0]) < LEAST_VERSION:
        connection.close()
        raise PostgresError(
            f"PostgreSQL at {address.shown} is version {version}: at least {LEAST_VERSION} is needed"
        )
    return connection


def is_loss(error: Exception) -> bool:
    """Whether an error says that the connection is gone, not that something was wrong with what was asked."""
    if isinstance(error, PostgresAwayError | OSError | struct.error):
        return True
    code = code_of(error)
    return str(error) in _LOST or code in _CODES_OF_LOSS or code.startswith(_CLASS_OF_LOSS)


def is_of_driver(error: Exception) -> bool:
    """Whether an error comes from the driver or the server, not from the work of a caller."""
    return type(error).__module__.partition(".")[0] in _DRIVER


def code_of(error: Exception) -> str:
    """What the server calls an error (SQLSTATE), "" for another one."""
    said = error.args[0] if error.args else None
    return str(said.get("C", "")) if isinstance(said, dict) else ""


def explained(error: Exception, address: PostgresAddress) -> PostgresError:
    """An error of pg8000 or of the server in words."""
    said = error.args[0] if error.args else None
    reason = str(said.get("M", "") if isinstance(said, dict) else error) or type(error).__name__
    code = code_of(error)
    place = f"PostgreSQL at {address.shown}"
    if code.startswith(_REFUSED) or type(error).__module__.startswith("scramp"):
        return PostgresError(f"{place} refused user or password ({reason}): look at POSTGRES_DSN", code)
    if is_loss(error):
        return PostgresAwayError(f"{place} does not answer ({reason}): is it running?", code)
    if code == _NO_DATABASE:
        remedy = f"make it with `createdb {address.database}`, or name another one in POSTGRES_DSN"
        return PostgresError(f"{place}: {reason}; {remedy}", code)
    if code == _NO_RIGHT:
        remedy = "the user of POSTGRES_DSN needs CREATE on the database, and schemas of its own"
        return PostgresError(f"{place}: {reason}; {remedy}", code)
    return PostgresError(f"{place} cannot be used: {reason}", code)


def _socket(address: PostgresAddress) -> socket.socket:
    is_here = address.host.startswith("/")
    opened = _of_this_machine(address) if is_here else _of_the_network(address)
    try:
        if not is_here:
            opened = _encrypt(opened, address)
        opened.settimeout(_ANSWER_SECONDS)
    except BaseException:
        opened.close()
        raise
    return opened


def _of_this_machine(address: PostgresAddress) -> socket.socket:
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        opened.settimeout(_CONNECT_SECONDS)
        opened.connect(f"{address.host}/.s.PGSQL.{address.port}")
    except BaseException:
        opened.close()
        raise
    return opened


def _of_the_network(address: PostgresAddress) -> socket.socket:
    opened = socket.create_connection((address.host, address.port), _CONNECT_SECONDS)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return opened


def _encrypt(opened: socket.socket, address: PostgresAddress) -> socket.socket:
    """The socket, encrypted as far as the address asks for it."""
    if address.ssl_mode == "disable":
        return opened
    opened.sendall(_SSL_REQUEST)
    if opened.recv(1) == b"S":
        return _ssl_context(address).wrap_socket(opened, server_hostname=address.host)
    if address.ssl_mode != "prefer":
        raise PostgresError(
            f"PostgreSQL at {address.shown} does not encrypt, and sslmode={address.ssl_mode} asks for it"
        )
    return opened


def _ssl_context(address: PostgresAddress) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=address.ssl_root_certificate or None)
    if address.ssl_mode != "verify-full":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _library() -> Any:
    try:
        from pg8000 import native
    except ImportError as error:
        raise PostgresError(
            "POSTGRES_DSN needs the package pg8000: pip install 'ragcrawler[postgres]'"
        ) from error
    return native
