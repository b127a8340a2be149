"""Which processor the models run on."""

from dataclasses import dataclass
from typing import Any

from ragcrawler.embedding.batch_limits import BatchLimits
from ragcrawler.embedding.config import DeviceName, EmbeddingConfig
from ragcrawler.embedding.protocol import EmbeddingError

_CUDA = "CUDAExecutionProvider"
_GPU_TOKENS = 16_384
_GPU_TEXTS = 256


@dataclass(frozen=True, slots=True)
class Device:
    """A processor, as found.

    Attributes:
        is_gpu: whether it is one that CUDA reaches.
    """

    is_gpu: bool

    @property
    def options(self) -> dict[str, Any]:
        """The switches of fastembed. On a CPU a run has one thread: several runs go side by side."""
        return {"cuda": True} if self.is_gpu else {"cuda": False, "threads": 1}

    def limits(self, config: EmbeddingConfig, limit_tokens: int, most_texts: int = _GPU_TEXTS) -> BatchLimits:
        """The limits of one run: a CPU gains nothing from larger batches, a GPU gains much."""
        if self.is_gpu:
            tokens = config.batch_tokens or _GPU_TOKENS
            return BatchLimits(most_texts, tokens, runs=1, limit_tokens=limit_tokens, resource="gpu")
        texts = most_texts if config.batch_tokens else 1
        tokens = config.batch_tokens or limit_tokens
        return BatchLimits(texts, tokens, runs=config.threads, limit_tokens=limit_tokens)

    def check(self, model: Any) -> None:
        """See that a loaded model runs here.

        Args:
            model: one of fastembed's, around a session of onnxruntime.

        Raises:
            EmbeddingError: onnxruntime went back to the CPU, which it only warns of.
        """
        if self.is_gpu and _CUDA not in model.model.get_providers():
            raise EmbeddingError(
                "onnxruntime knows CUDA but could not start it, see its message above: mend the CUDA"
                " libraries, or set EMBEDDING_DEVICE=cpu"
            )


def find_device(name: DeviceName) -> Device:
    """The processor of that name; "auto" takes a GPU where onnxruntime was built for one.

    Raises:
        EmbeddingError: CUDA is asked for and not there.
    """
    import onnxruntime

    offered = onnxruntime.get_available_providers()  # type: ignore[attr-defined]  # it declares no exports
    if name == "cuda" and _CUDA not in offered:
        raise EmbeddingError(
            f"EMBEDDING_DEVICE is 'cuda', but onnxruntime offers {', '.join(offered)} here: install"
            " fastembed-gpu in place of fastembed, with NVIDIA's driver, or set EMBEDDING_DEVICE=cpu"
        )
    return Device(is_gpu=name != "cpu" and _CUDA in offered)
