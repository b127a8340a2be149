"""The settings of the embedders."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from ragcrawler.embedding.precision import PRECISIONS, Precision
from ragcrawler.embedding.remote.config import RemoteConfig

DeviceName = Literal["auto", "cpu", "cuda"]
DEVICES: tuple[DeviceName, ...] = get_args(DeviceName)


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
        device: "cpu", "cuda", or "auto" for a GPU where onnxruntime was built for one.
        batch_tokens: of one run, padding included; 0 is one text a run on a CPU, 16,384 tokens on a GPU.
        threads: runs side by side, each on one core of the CPU; both models share them.
        hub_endpoint: address of the model hub.
        hub_timeout_seconds: how long the hub may take to show that it answers.
        offline: never ask the hub.
        precision: "int8" runs new collections' local models in 8 bits, "original" as their files are.
        token_vectors: local dense models give the vectors of a text's tokens too; None: nobody said.
        token_stop_words: words whose vectors are left out of these.
        remote: how the service of a remote model is reached; None where all models run here.
    """

    cache_dir: Path = field(default_factory=_default_cache_dir)
    hub_cache_dirs: tuple[Path, ...] = field(default_factory=_default_hub_cache_dirs)
    device: DeviceName = "auto"
    batch_tokens: int = 0
    threads: int = 2
    hub_endpoint: str = "https://huggingface.co"
    hub_timeout_seconds: float = 5.0
    offline: bool = False
    precision: Precision = "original"
    token_vectors: bool | None = None
    token_stop_words: frozenset[str] = frozenset()
    remote: RemoteConfig | None = None

    def __post_init__(self) -> None:
        if self.device not in DEVICES:
            raise ValueError(f"device is {self.device!r}: give one of {', '.join(DEVICES)}")
        if self.precision not in PRECISIONS:
            raise ValueError(f"precision is {self.precision!r}: give one of {', '.join(PRECISIONS)}")
        _require("batch_tokens", self.batch_tokens, 0, 1_000_000)
        _require("threads", self.threads, 1, 256)
        _require("hub_timeout_seconds", self.hub_timeout_seconds, 0.01, 600)
        if not self.hub_cache_dirs:
            raise ValueError("hub_cache_dirs is empty: give at least one folder")
        if not self.hub_endpoint.startswith(("http://", "https://")):
            raise ValueError(f"hub_endpoint is {self.hub_endpoint!r}: give an http or https address")


def _require(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is {value}: give a number from {least} to {most}")
