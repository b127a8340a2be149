"""How many Tor clients to run, and how."""

import re
from dataclasses import dataclass
from pathlib import Path

_MOST_INSTANCES = 40
_COUNTRY = re.compile(r"[a-z]{2}")


@dataclass(frozen=True, slots=True)
class TorOptions:
    """The options of `scrapy tor`.

    Attributes:
        folder: where the clients keep their state and the crawl finds the list of proxies.
        instances: clients, each with circuits of its own.
        first_port: the proxies listen on this port of 127.0.0.1 and the ones after it.
        renewal_seconds: time after which a client takes new circuits.
        start_seconds: time that all clients together have to connect.
        exit_countries: two-letter codes; empty for any country.
        extra_torrc: lines for every client, such as bridges.

    Raises:
        ValueError: a number or a country is out of its range.
    """

    folder: Path
    instances: int = 5
    first_port: int = 8218
    renewal_seconds: float = 600.0
    start_seconds: float = 300.0
    exit_countries: tuple[str, ...] = ()
    extra_torrc: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.instances <= _MOST_INSTANCES:
            raise ValueError(f"--instances is {self.instances}; it should be 1 to {_MOST_INSTANCES}")
        if not 1 <= self.first_port <= 65_536 - self.instances:
            raise ValueError(
                f"--port is {self.first_port}; it should be a port with {self.instances - 1} more above it"
            )
        # Tor ignores a second request for new circuits within 10 seconds.
        if self.renewal_seconds < 10 or self.start_seconds <= 0:  # noqa: PLR2004 - explained above
            raise ValueError("--renew-seconds should be at least 10, and --timeout greater than 0")
        for country in self.exit_countries:
            if not _COUNTRY.fullmatch(country):
                raise ValueError(f"--exit-country has {country!r}; it should hold codes such as de,at")
