"""The settings of the chunker."""

from dataclasses import dataclass
from typing import Literal

CodePolicy = Literal["lines", "keep"]
Strategy = Literal["structure", "size", "sentences", "sections", "semantic", "h2_characters"]

_LEAST = {
    "target_tokens": 1,
    "max_tokens": 1,
    "min_tokens": 0,
    "overlap_tokens": 0,
    "max_chunks": 0,
    "max_stored_bytes": 0,
}


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """How text is cut; all sizes in tokens of the embedding model, without its special tokens.

    Attributes:
        target_tokens: the size aimed at.
        max_tokens: the size no content exceeds.
        min_tokens: under this a chunk is merged with its neighbour of the same section.
        overlap_tokens: how much of the neighbours is kept beside a chunk.
        embed_overlap: whether that is embedded too.
        code_policy: "lines" splits long code and fences every part; "keep" leaves it whole and flags it.
        strategy: how chunks are made.
        max_chunks: of one document; 0 is no bound.
        max_stored_bytes: of all chunks of one document together, about as they are stored; 0 is no bound.
        model: the embedding model's name; part of `embed_hash`.

    Raises:
        ValueError: a size is below what can be.
    """

    target_tokens: int = 400
    max_tokens: int = 500
    min_tokens: int = 100
    overlap_tokens: int = 50
    embed_overlap: bool = False
    code_policy: CodePolicy = "lines"
    strategy: Strategy = "structure"
    model: str = ""
    max_chunks: int = 0
    max_stored_bytes: int = 0

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}, but should be at least {least}")
