"""Settings of the response cache."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ragcrawler.config.reader import FromSettings, SettingsReader, setting


@dataclass(frozen=True, slots=True)
class CacheConfig(FromSettings):
    """The cache of responses.

    Attributes:
        path: its file.
        max_age_seconds: since a response was last confirmed; 0 for no bound.
        max_bytes: of all responses together.
    """

    path: Path
    max_age_seconds: int = setting("HTTPCACHE_EXPIRATION_SECS", "integer")
    max_bytes: int = setting("HTTPCACHE_MAX_MEBIBYTES", "mebibytes", minimum=1)

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        read = SettingsReader(settings)
        folder = read.folder("OUTPUT_DIR") / read.folder("HTTPCACHE_DIR")
        return cls(path=folder / "responses.sqlite", **cls.read_fields(read))
