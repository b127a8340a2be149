"""The settings that let several processes work on one crawl."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import FromSettings, SettingsReader, setting

_SCHEMES = ("redis", "rediss")
_WHY = "where REDIS_URL is set, for an embedded one belongs to one process"


@dataclass(frozen=True, slots=True)
class SharingConfig(FromSettings):
    """Where the state of a shared crawl is.

    Attributes:
        url: of Redis; it may hold a password, and is kept out of `repr`.
        lease_seconds: after which the pages of a worker that is not heard of go to another.
        wait_seconds: how long a Redis that is away is waited for.
    """

    url: str = setting("REDIS_URL", "text", secret=True)
    lease_seconds: float = setting("REDIS_LEASE_SECONDS", "number", above=1.0)
    wait_seconds: float = setting("REDIS_WAIT_SECONDS", "number")

    @property
    def alive_seconds(self) -> float:
        """After which a worker that was not heard of counts as dead."""
        return self.lease_seconds / 2

    @property
    def beat_seconds(self) -> float:
        """Between two signs of life."""
        return self.lease_seconds / 8

    @classmethod
    def if_shared(cls, settings: Mapping[str, object]) -> "SharingConfig | None":
        """Read and check the settings; None where a crawl is one process.

        Raises:
            SettingError: a setting is invalid, or one that a shared crawl needs is missing.
        """
        read = SettingsReader(settings)
        url = read.text("REDIS_URL")
        if not url:
            return None
        if urlsplit(url).scheme not in _SCHEMES or not urlsplit(url).hostname:
            expected = "an address as redis://[user:password@]host[:port][/database], or rediss:// for TLS"
            raise SettingError("REDIS_URL", url.partition("?")[0], expected)
        if not read.text("QDRANT_URL"):
            raise SettingError("QDRANT_URL", "", f"the address of a Qdrant server {_WHY}")
        if not read.text("POSTGRES_DSN"):
            raise SettingError("POSTGRES_DSN", "", f"a PostgreSQL for the catalogue {_WHY}")
        return cls.from_settings(settings)
