"""Devices: what runs where, and what is said where there is no GPU."""

import onnxruntime
import pytest

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.embedding.embedders import open_embedders
from ragcrawler.embedding.inference.device import Device, find_device
from ragcrawler.embedding.protocol import EmbeddingError
from ragcrawler.embedding.selection import select_models


def test_cuda_that_is_not_there_is_refused_with_what_to_do(config: EmbeddingConfig) -> None:
    offered = ", ".join(onnxruntime.get_available_providers())
    assert "CUDA" not in offered, "this suite runs where there is no GPU"
    asked = EmbeddingConfig(cache_dir=config.cache_dir, offline=True, device="cuda")
    selection = select_models("bundled/all-MiniLM-L6-v2", "bundled/splade-tiny", None, asked)
    with pytest.raises(EmbeddingError, match=f"EMBEDDING_DEVICE is 'cuda'.* {offered} .*fastembed-gpu"):
        open_embedders(selection, asked)


def test_a_machine_without_a_gpu_takes_the_cpu() -> None:
    assert find_device("auto") == find_device("cpu") == Device(is_gpu=False)


@pytest.mark.parametrize(
    ("is_gpu", "batch_tokens", "expected"),
    [
        (False, 0, BatchLimits(1, 512, 3, 512, "cpu")),
        (False, 1000, BatchLimits(256, 1000, 3, 512, "cpu")),
        (True, 0, BatchLimits(256, 16_384, 1, 512, "gpu")),
        (True, 1000, BatchLimits(256, 1000, 1, 512, "gpu")),
    ],
)
def test_a_cpu_runs_one_text_a_core_and_a_gpu_many_at_once(
    is_gpu: bool, batch_tokens: int, expected: BatchLimits
) -> None:
    config = EmbeddingConfig(threads=3, batch_tokens=batch_tokens)
    assert Device(is_gpu).limits(config, 512) == expected


def test_fastembed_s_own_switches_are_used() -> None:
    assert Device(is_gpu=True).options == {"cuda": True}
    assert Device(is_gpu=False).options == {"cuda": False, "threads": 1}


class Loaded:
    """Stands where fastembed's model stands: around a session that tells its providers."""

    def __init__(self, *providers: str) -> None:
        self.model = self
        self.get_providers = lambda: list(providers)


def test_a_model_that_went_back_to_the_cpu_is_refused() -> None:
    with pytest.raises(EmbeddingError, match="EMBEDDING_DEVICE=cpu"):
        Device(is_gpu=True).check(Loaded("CPUExecutionProvider"))
    Device(is_gpu=True).check(Loaded("CUDAExecutionProvider", "CPUExecutionProvider"))
    Device(is_gpu=False).check(Loaded("CPUExecutionProvider"))
