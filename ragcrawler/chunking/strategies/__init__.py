"""Ways of making chunks, by name."""

from ragcrawler.chunking.strategies.registry import open_strategy, overlap_for

__all__ = ["open_strategy", "overlap_for"]
