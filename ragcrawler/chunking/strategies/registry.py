"""The table of strategies."""

from ragcrawler.chunking.config import STRATEGY_NAMES, Strategy
from ragcrawler.chunking.output.overlap import Overlap
from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.sizing.token_map import CharacterMap
from ragcrawler.chunking.strategies.h2_characters import OVERLAP_CHARACTERS, cut_by_h2_characters
from ragcrawler.chunking.strategies.protocol import ChunkingStrategy, SentenceEmbedder
from ragcrawler.chunking.strategies.running_text import cut_by_sentences, cut_by_size
from ragcrawler.chunking.strategies.sections import cut_by_sections
from ragcrawler.chunking.strategies.semantic import SemanticStrategy
from ragcrawler.chunking.strategies.structure import cut_by_structure

STRATEGIES: dict[Strategy, ChunkingStrategy] = {
    "structure": cut_by_structure,
    "size": cut_by_size,
    "sentences": cut_by_sentences,
    "sections": cut_by_sections,
    "h2_characters": cut_by_h2_characters,
}


def open_strategy(name: Strategy, similarity: SentenceEmbedder | None) -> ChunkingStrategy:
    """The strategy of that name.

    Raises:
        ValueError: there is none, or it needs an embedder that is not given.
    """
    if name == "semantic":
        if similarity is None:
            raise ValueError("the strategy 'semantic' compares sentences: give an embedder as `similarity`")
        return SemanticStrategy(similarity)
    if name not in STRATEGIES:
        raise ValueError(f"there is no strategy {name!r}: choose one of {', '.join(STRATEGY_NAMES)}")
    return STRATEGIES[name]


def overlap_for(document: ParsedDocument) -> Overlap:
    """How much of its neighbours a chunk is shown with: tokens, or characters for one strategy."""
    if document.config.strategy == "h2_characters":
        counts = CharacterMap(document.source.text)
        return Overlap(counts, document.root, OVERLAP_CHARACTERS, crosses_sections=True)
    return Overlap(document.budget.map, document.root, document.config.overlap_tokens)
