"""Where a database is, and how it is entered."""

import getpass
from dataclasses import dataclass, field
from typing import Literal, Self, cast, get_args
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

SslMode = Literal["disable", "prefer", "require", "verify-full"]

_SCHEMES = ("postgresql", "postgres")
_PORT = 5432
# Neither user nor password: what hides them in messages looks for them before the host.
_OPTIONS = {"host", "port", "sslmode", "sslrootcert"}
EXPECTED = (
    "an address like postgresql://user:password@host:5432/database, with one host, and after ? no more than "
    + ", ".join(sorted(_OPTIONS))
)


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A database on a server.

    Attributes:
        host: its name or address; a folder, from `/` on, for a socket of this machine.
        port: of the server.
        user: who enters.
        password: "" for none; never shown.
        database: its name.
        ssl_mode: `prefer` encrypts where the server can, `require` always, `verify-full` looks at its
            certificate too.
        ssl_root_certificate: file with those of the authorities; "" for those that the machine trusts.
    """

    host: str = "localhost"
    port: int = _PORT
    user: str = "postgres"
    password: str = field(default="", repr=False)
    database: str = "postgres"
    ssl_mode: SslMode = "prefer"
    ssl_root_certificate: str = ""

    @classmethod
    def from_dsn(cls, dsn: str) -> Self:
        """Read an address as libpq writes it: as a URL.

        Raises:
            ValueError: it is none; the message does not show it.
        """
        try:
            return cls._read(dsn)
        except ValueError:
            raise ValueError(EXPECTED) from None  # the cause may show a part of a password

    @classmethod
    def _read(cls, dsn: str) -> Self:
        parts = urlsplit(dsn)
        given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        ssl_mode = given.get("sslmode", "prefer")
        host = given.get("host") or unquote(parts.hostname or "") or "localhost"
        is_right = parts.scheme in _SCHEMES and not parts.fragment and not given.keys() - _OPTIONS
        if not is_right or ssl_mode not in get_args(SslMode) or "," in host:
            raise ValueError(EXPECTED)
        user = unquote(parts.username or "") or getpass.getuser()
        return cls(
            host=host,
            port=int(given.get("port") or parts.port or _PORT),
            user=user,
            password=unquote(parts.password or ""),
            database=unquote(parts.path.lstrip("/")) or user,
            ssl_mode=cast("SslMode", ssl_mode),
            ssl_root_certificate=given.get("sslrootcert", ""),
        )

    @property
    def dsn(self) -> str:
        """The address as a URL, with its password."""
        given = {"host": self.host, "port": self.port, "sslmode": self.ssl_mode}
        if self.ssl_root_certificate:
            given["sslrootcert"] = self.ssl_root_certificate
        user, password, database = (
            quote(each, safe="") for each in (self.user, self.password, self.database)
        )
        return f"postgresql://{user}:{password}@/{database}?{urlencode(given)}"

    @property
    def shown(self) -> str:
        """For messages: without user and password."""
        return f"{self.host}:{self.port}/{self.database}"
