"""The settings of the embedders."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path


def _default_cache_dir() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("ragcrawler") / "models"


def _default_hub_cache_dirs() -> tuple[Path, ...]:
    """Our own cache first, as the place to download to; then the one that fastembed uses by itself."""
    return (_default_cache_dir() / "hub", Path(tempfile.gettempdir()) / "fastembed_cache")


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """Where models lie and how they are run.

    Attributes:
        cache_dir: folder in which the bundled models are built, made when needed.
        hub_cache_dirs: folders in the hub's cache layout, searched in this order; the first takes downloads.
        batch_size: texts that one run of the dense model reads; 1 wastes nothing on padding.
        sparse_batch_size: the same of the sparse model; a text takes up to 0.1 GB, hence at most 4.
        threads: runs of one model side by side, each on one core.
        hub_endpoint: address of the model hub.
        hub_timeout_seconds: how long the hub may take to show that it answers.
        offline: never ask the hub.
    """

    cache_dir: Path = field(default_factory=_default_cache_dir)
    hub_cache_dirs: tuple[Path, ...] = field(default_factory=_default_hub_cache_dirs)
    batch_size: int = 1
    sparse_batch_size: int = 1
    threads: int = 2
    hub_endpoint: str = "https://huggingface.co"
    hub_timeout_seconds: float = 5.0
    offline: bool = False

    def __post_init__(self) -> None:
        _require("batch_size", self.batch_size, 1, 1024)
        _require("sparse_batch_size", self.sparse_batch_size, 1, 4)
        _require("threads", self.threads, 1, 256)
        _require("hub_timeout_seconds", self.hub_timeout_seconds, 0.01, 600)
        if not self.hub_cache_dirs:
            raise ValueError("hub_cache_dirs is empty: give at least one folder")
        if not self.hub_endpoint.startswith(("http://", "https://")):
            raise ValueError(f"hub_endpoint is {self.hub_endpoint!r}: give an http or https address")


def _require(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is {value}: give a number from {least} to {most}")
