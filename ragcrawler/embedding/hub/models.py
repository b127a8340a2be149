"""The models that fastembed knows by name and a hub holds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.embedding.protocol import Kind, ModelDescription

SPLADE = "prithivida/Splade_PP_en_v1"
_LIMIT = re.compile(r"(\d+) input tokens truncation")  # fastembed states it in its descriptions only
_LIMITS_NOT_STATED = {"jinaai/jina-clip-v1": 8192, SPLADE: 512}
_READ_BY_FASTEMBED = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model of the hub.

    Attributes:
        description: its description; special tokens as BERT has them, no fingerprint.
        repository: where the hub keeps it, "Qdrant/bge-base-en-v1.5-onnx-Q".
        model_files: the weights, relative to the repository; the first one is what is loaded.
    """

    description: ModelDescription
    repository: str
    model_files: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """Every file worth fetching; of the small ones some models lack one or the other."""
        return self.model_files + _READ_BY_FASTEMBED


def hub_models(kind: Kind) -> Sequence[HubModel]:
    """Every model of the kind that fastembed runs and whose limit is known; of the sparse ones the SPLADE.

    The other sparse models want a store that weighs by inverse document frequency.
    """
    from fastembed import SparseTextEmbedding, TextEmbedding

    if kind == "dense":
        listed = TextEmbedding.list_supported_models()
    else:
        listed = [model for model in SparseTextEmbedding.list_supported_models() if model["model"] == SPLADE]
    limits = [(model, _limit_tokens(model)) for model in listed if model["sources"]["hf"]]
    return [_hub_model(model, kind, limit) for model, limit in limits if limit]


def find_hub_model(name: str, kind: Kind) -> HubModel | None:
    """The model of that name, in any case of letters; None where there is none."""
    return next((model for model in hub_models(kind) if model.description.name.lower() == name.lower()), None)


def _limit_tokens(listed: Mapping[str, Any]) -> int:
    """The longest input, 0 where that is not known."""
    stated = _LIMIT.search(listed["description"])
    return int(stated[1]) if stated else _LIMITS_NOT_STATED.get(listed["model"], 0)


def _hub_model(listed: Mapping[str, Any], kind: Kind, limit_tokens: int) -> HubModel:
    return HubModel(
        description=ModelDescription(listed["model"], kind, listed.get("dim") or 0, limit_tokens),
        repository=listed["sources"]["hf"],
        model_files=(listed["model_file"], *listed["additional_files"]),
    )
