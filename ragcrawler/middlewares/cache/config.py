"""Where responses of earlier crawls are kept, and how many."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.config.reader import SettingsReader

_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class CacheConfig:
    """The cache of responses.

    Attributes:
        path: its file.
        max_age_seconds: since a response was last confirmed; 0 for no bound.
        max_bytes: of all responses together.
    """

    path: Path
    max_age_seconds: int
    max_bytes: int

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> "CacheConfig":
        """Read and check the settings.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        return cls(
            path=read.folder("OUTPUT_DIR") / read.folder("HTTPCACHE_DIR") / "responses.sqlite",
            max_age_seconds=read.integer("HTTPCACHE_EXPIRATION_SECS"),
            max_bytes=read.integer("HTTPCACHE_MAX_MEBIBYTES", minimum=1) * _MEBIBYTE,
        )
