"""The settings of the chunker."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

CodePolicy = Literal["lines", "keep"]
Strategy = Literal["structure", "size", "sentences", "sections", "semantic", "h2_characters"]
Profile = Literal["structure", "firecrawl"]
STRATEGY_NAMES: tuple[str, ...] = get_args(Strategy)
CODE_POLICIES: tuple[str, ...] = get_args(CodePolicy)

# Specification 000: of 512 tokens that a model reads aim at 400, use at most 480, keep 100, overlap by 50.
SPECIFIED_LIMIT_TOKENS = 512
TARGET_TOKENS = 400
MAX_TOKENS = 480
MIN_TOKENS = 100
OVERLAP_TOKENS = 50
# The same: tokens that are left free where a run is truncated.
TRUNCATION_BUFFER = 10

_LEAST = {
    "target_tokens": 1,
    "max_tokens": 1,
    "min_tokens": 0,
    "overlap_tokens": 0,
    "truncation_buffer": 0,
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
        truncation_buffer: tokens left free where a run that nothing can break is truncated.
        strategy: how chunks are made.
        max_chunks: of one document; 0 is no bound.
        max_stored_bytes: of all chunks of one document together, about as they are stored; 0 is no bound.
        model: the embedding model's name; part of `embed_hash`.

    Raises:
        ValueError: a size is below what can be.
    """

    target_tokens: int = TARGET_TOKENS
    max_tokens: int = MAX_TOKENS
    min_tokens: int = MIN_TOKENS
    overlap_tokens: int = OVERLAP_TOKENS
    embed_overlap: bool = False
    code_policy: CodePolicy = "lines"
    truncation_buffer: int = TRUNCATION_BUFFER
    strategy: Strategy = "structure"
    model: str = ""
    max_chunks: int = 0
    max_stored_bytes: int = 0

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}, but should be at least {least}")


PROFILES: Mapping[Profile, ChunkingConfig] = {
    "structure": ChunkingConfig(),
    # Specification 003: whole sections, and code that is never split. Of sizes it gives one: its example of a
    # chunk has 950 tokens.
    "firecrawl": ChunkingConfig(target_tokens=950, max_tokens=1000, code_policy="keep", strategy="sections"),
}
"""Configurations by the specification that they follow; the sizes of "structure" follow the model's limit."""
