"""The settings of `scrapy serve`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader

_LEAST_TOKEN = 16  # characters
_AUTHORITY = re.compile(r"(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Where the server listens, who may ask it, and how much.

    Attributes:
        host: the address that is bound.
        port: that is bound; 0 for any free one.
        token: every request has to carry it; "" for none. Kept out of `repr` and of every message.
        hosts: names beside the loopback ones that requests may ask for, with the port where it is not the
            scheme's.
        requests_per_second: of one client, on average.
        asks_per_minute: of all clients together: they ask a language model.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str = field(default="", repr=False)
    hosts: tuple[str, ...] = ()
    requests_per_second: float = 20.0
    asks_per_minute: float = 10.0

    @property
    def is_loopback(self) -> bool:
        """Whether this machine alone can reach the server."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def server_config(settings: Mapping[str, object], host: str, port: int) -> ServerConfig:
    """Who may ask a server on this host and port.

    Raises:
        SettingError: a setting is invalid, or a server that others can reach has no token or no name.
    """
    read = SettingsReader(settings)
    config = ServerConfig(
        host=host,
        port=port,
        token=read.text("SERVER_TOKEN"),
        hosts=_hosts(read.text("SERVER_HOSTS")),
        requests_per_second=read.number("SERVER_REQUESTS_PER_SECOND"),
        asks_per_minute=read.number("SERVER_ASKS_PER_MINUTE"),
    )
    if config.token and not (len(config.token) >= _LEAST_TOKEN and config.token.isascii()):
        expected = f"ASCII text of at least {_LEAST_TOKEN} characters: `openssl rand -hex 32` makes one"
        raise SettingError("SERVER_TOKEN", "(not shown)", expected)
    if not config.is_loopback and not config.token:
        raise SettingError("SERVER_TOKEN", "", f"set: others can reach a server on {host}")
    if not config.is_loopback and not config.hosts:
        expected = f"the names by which a server on {host} is asked for: search.example.org,10.0.0.5:8000 say"
        raise SettingError("SERVER_HOSTS", "", expected)
    return config


def _hosts(written: str) -> tuple[str, ...]:
    hosts = tuple(each.strip().lower() for each in written.split(",") if each.strip())
    for host in hosts:
        if not _AUTHORITY.fullmatch(host):
            raise SettingError("SERVER_HOSTS", written, "host names with commas, each with its port if any")
    return hosts
