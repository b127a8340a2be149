"""How the index is kept right: what is deleted when, and how long a store is waited for."""

from dataclasses import dataclass

from ragcrawler.config.reader import FromSettings, setting


@dataclass(frozen=True, slots=True)
class UpkeepConfig(FromSettings):
    """The settings of deletion and of waiting; `docs/index.md` explains each."""

    gone_after: int = setting("GONE_AFTER", "integer", minimum=1, default=2)
    brake_percent: float = setting("DELETE_BRAKE", "number", most=100, default=10.0)
    store_wait_seconds: float = setting("STORE_WAIT_SECONDS", "amount", default=60.0)
    collection_wait_seconds: float = setting("COLLECTION_WAIT_SECONDS", "amount", default=0.0)
