"""Sizes that follow from each other where only some are given."""

from dataclasses import replace

from ragcrawler.chunking.config import (
    MIN_TOKENS,
    OVERLAP_TOKENS,
    SPECIFIED_LIMIT_TOKENS,
    TARGET_TOKENS,
    ChunkingConfig,
)

_TARGET_SHARE = TARGET_TOKENS / SPECIFIED_LIMIT_TOKENS
_MIN_SHARE = MIN_TOKENS / TARGET_TOKENS
_OVERLAP_SHARE = OVERLAP_TOKENS / TARGET_TOKENS


def with_sizes(
    config: ChunkingConfig,
    limit: int,
    *,
    target_tokens: int | None = None,
    max_tokens: int | None = None,
    min_tokens: int | None = None,
    overlap_tokens: int | None = None,
) -> ChunkingConfig:
    """The configuration with the sizes that are given; the others keep the shares of specification 000.

    Args:
        config: gives everything but the sizes.
        limit: tokens of text that the model takes.
        target_tokens: the size aimed at.
        max_tokens: the size no content exceeds.
        min_tokens: under this a chunk is merged.
        overlap_tokens: of the neighbours.

    Raises:
        ValueError: the sizes contradict each other.
    """
    longest = max_tokens or max(target_tokens or 0, limit)
    target = target_tokens or max(1, round(longest * _TARGET_SHARE))
    if target > longest:
        raise ValueError(f"target_tokens={target} is over max_tokens={longest}: lower the first")
    return replace(
        config,
        target_tokens=target,
        max_tokens=longest,
        min_tokens=int(target * _MIN_SHARE) if min_tokens is None else min_tokens,
        overlap_tokens=int(target * _OVERLAP_SHARE) if overlap_tokens is None else overlap_tokens,
    )
