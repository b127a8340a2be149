"""The `Splitter` Protocol, and the context that every splitter is given."""

from typing import Protocol

from ragcrawler.chunking.parsing.elements import MarkdownElement
from ragcrawler.chunking.sizing.budget import TokenBudget
from ragcrawler.chunking.sizing.units import SplitElement, Unit
from ragcrawler.items import ChunkType


class Splitting(Protocol):
    """The document's splitting under way: what a splitter may ask for."""

    @property
    def budget(self) -> TokenBudget:
        """The room of a chunk."""

    def units(self, element: MarkdownElement) -> list[Unit]:
        """The units of an element inside: one if it fits, else what its own splitter makes of it."""

    def numbered(self, kind: ChunkType, total: int) -> SplitElement:
        """A new identity for a table or list that is being split."""


class Splitter(Protocol):
    """Cuts one kind of element that is over the limit."""

    def __call__(self, element: MarkdownElement, splitting: Splitting) -> list[Unit]:
        """Units in order, that together hold all of the element, each within `splitting.budget`."""
