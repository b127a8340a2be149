"""Chunks of like meaning: cut where adjacent sentences have least in common (specification 004)."""

from collections.abc import Iterator, Sequence
from math import sqrt

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters import ElementSplitter
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.chunking.strategies.protocol import SentenceEmbedder
from ragcrawler.chunking.strategies.structure import cut_parts, section_units

# What a boundary between two sentences that say the same costs; unrelated ones part for nothing.
_LIKE = 120
# One sentence says little: the two before are compared with the two behind.
_WINDOW = 2
_LONGEST_TEXT = 2000


class SemanticStrategy:
    """Structure first: sections and everything but running text stay as they are."""

    def __init__(self, embedder: SentenceEmbedder) -> None:
        self._embedder = embedder

    def __call__(self, document: ParsedDocument) -> Iterator[Draft]:
        """Paragraphs as sentences, whose boundaries cost what their likeness says."""
        splitter = _SentenceSplitter(document.budget, document.config.code_policy)
        parts = [part for section in document.root.walk() if (part := section_units(section, splitter)).units]
        for part in parts:
            self._weigh(part.units, document.source.text)
        return cut_parts(document, parts)

    def _weigh(self, units: Sequence[Unit], text: str) -> None:
        if len(units) <= _WINDOW:
            return
        vectors = self._embedder.embed_documents(
            [text[unit.start : unit.end].strip()[:_LONGEST_TEXT] for unit in units]
        )
        for index in range(1, len(units)):
            if units[index].boundary >= Boundary.AFTER_HEADING:
                continue
            before = _sum(vectors[max(0, index - _WINDOW) : index])
            behind = _sum(vectors[index : index + _WINDOW])
            units[index].boundary = round(_LIKE * max(0.0, cosine(before, behind)))


class _SentenceSplitter(ElementSplitter):
    """Cuts every paragraph into its sentences."""

    def units(self, element: MarkdownElement) -> list[Unit]:
        if element.type is ElementType.PARAGRAPH:
            return self.split(element)
        return super().units(element)


def _sum(vectors: Sequence[Sequence[float]]) -> list[float]:
    return [sum(values) for values in zip(*vectors, strict=True)]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of the angle between two vectors; 0 where one of them is zero."""
    length = sqrt(sum(value * value for value in one) * sum(value * value for value in other))
    return sum(a * b for a, b in zip(one, other, strict=True)) / length if length else 0.0
