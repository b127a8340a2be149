"""The configuration of a store."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

StoreKind = Literal["auto", "edge", "server", "memory"]
Quantization = Literal["none", "scalar"]


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
        ca_file: PEM file of the authority that signed the server's certificate; "" for the machine's own.
        prefer_grpc: talk gRPC to the server.
        grpc_port: its port for that.
        on_disk: a new collection keeps its vectors on disk rather than in memory.
        reserve_bytes: that stay free on the disk of the embedded engine; 0 asks for nothing.
        claims: keep other processes out of an embedded collection before it is made; else when it is made.
        quantization: of the dense vectors of a new collection; "scalar" is a byte a dimension.
    """

    url: str = ""
    api_key: str = field(default="", repr=False)
    folder: Path = Path("output/qdrant")
    collection: str = "ragcrawler"
    timeout_seconds: int = 30
    kind: StoreKind = "auto"
    ca_file: str = ""
    prefer_grpc: bool = False
    grpc_port: int = 6334
    on_disk: bool = False
    quantization: Quantization = "none"
    reserve_bytes: int = 0
    claims: bool = False

    @property
    def resolved_kind(self) -> StoreKind:
        """The kind that "auto" stands for: the server where `url` is set, else the embedded engine."""
        if self.kind != "auto":
            return self.kind
        return "server" if self.url else "edge"

    @property
    def location(self) -> str:
        """The server's address or the folder of the collections, for people."""
        return self.url.rstrip("/") or str(self.folder)
