"""What a store is told when it is opened."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

StoreKind = Literal["auto", "edge", "server", "memory"]


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """Which store to open, and which collection in it.

    Attributes:
        url: of a Qdrant server; "" for the embedded engine.
        api_key: of that server; kept out of `repr` and of every message.
        folder: where the embedded engine keeps its collections, one folder each.
        collection: its name.
        timeout_seconds: how long one request to a server may take.
        kind: "auto" takes the server where `url` is set, else the embedded engine.
    """

    url: str = ""
    api_key: str = field(default="", repr=False)
    folder: Path = Path("output/qdrant")
    collection: str = "ragcrawler"
    timeout_seconds: int = 30
    kind: StoreKind = "auto"
