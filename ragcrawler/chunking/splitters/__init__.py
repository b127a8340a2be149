"""One splitter for each kind of element; `ElementSplitter` finds it."""

from ragcrawler.chunking.splitters.registry import ElementSplitter

__all__ = ["ElementSplitter"]
