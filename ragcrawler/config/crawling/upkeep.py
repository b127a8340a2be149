"""How the index is kept right: what is deleted when, and how long a store is waited for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader

_WHOLE = 100


@dataclass(frozen=True, slots=True)
class UpkeepConfig:
    """The settings of deletion and of waiting.

    Attributes:
        gone_after: runs in a row that have to find a page gone before its chunks are deleted.
        brake_percent: of a domain's documents; were more to be deleted in one run, none is.
        store_wait_seconds: how long a store that is away is waited for.
        collection_wait_seconds: how long an embedded collection that another process has is waited for.
    """

    gone_after: int = 2
    brake_percent: float = 10.0
    store_wait_seconds: float = 60.0
    collection_wait_seconds: float = 0.0

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """Read and check them.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        brake = read.number("DELETE_BRAKE")
        if brake > _WHOLE:
            raise SettingError("DELETE_BRAKE", brake, "a percentage, above 0 and at most 100")
        return cls(
            gone_after=read.integer("GONE_AFTER", minimum=1),
            brake_percent=brake,
            store_wait_seconds=float(read.integer("STORE_WAIT_SECONDS")),
            collection_wait_seconds=float(read.integer("COLLECTION_WAIT_SECONDS")),
        )
