"""Validate chunks: lost characters and headings, sizes (specification 003)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.chunking.parsing.elements import ElementType
from ragcrawler.chunking.parsing.parser import MarkdownParser
from ragcrawler.chunking.parsing.source import SourceText
from ragcrawler.items import SemanticChunk

_CHECKED_LEVELS = 2
_LETTER = re.compile(r"[^\W_]")
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ChunkValidation:
    """The figures of one document.

    Attributes:
        chunks: how many there are.
        tokens_total: of all contents.
        tokens_average: of a content.
        tokens_min: of the smallest.
        tokens_max: of the biggest.
        headings: how many of each level the document has.
        lost_headings: H1 and H2 that stand in no chunk, neither in its content nor in its path.
        characters: letters and digits of the document, front matter left out.
        covered_characters: those that some chunk's span holds.
        chunks_with_code: chunks that hold a fenced block.
        over_limit: positions of the chunks over `max_tokens`.
        under_minimum: positions of the chunks under `min_tokens`.
    """

    chunks: int
    tokens_total: int
    tokens_average: float
    tokens_min: int
    tokens_max: int
    headings: dict[int, int]
    lost_headings: tuple[str, ...]
    characters: int
    covered_characters: int
    chunks_with_code: int
    over_limit: tuple[int, ...] = field(default=())
    under_minimum: tuple[int, ...] = field(default=())

    @property
    def is_lossless(self) -> bool:
        """Whether every letter and every H1 and H2 is in some chunk."""
        return self.covered_characters == self.characters and not self.lost_headings

    def summary(self, name: str) -> str:
        """The figures for a person, one line each."""
        levels = ", ".join(f"H{level} {count}" for level, count in sorted(self.headings.items())) or "none"
        lines = [
            f"{name}: {self.chunks} chunks, {self.tokens_total} tokens",
            f"  tokens: {self.tokens_average:.0f} on average, {self.tokens_min} to {self.tokens_max}",
            f"  outside the range: {len(self.over_limit)} over, {len(self.under_minimum)} under",
            f"  characters covered: {self.covered_characters} of {self.characters}",
            f"  headings: {levels}; lost: {', '.join(self.lost_headings) or 'none'}",
            f"  chunks with code: {self.chunks_with_code}",
        ]
        return "\n".join(lines) + "\n"


def validate(markdown: str, chunks: Sequence[SemanticChunk], config: ChunkingConfig) -> ChunkValidation:
    """Compare the chunks of a document with the document; sizes with what the configuration asks for."""
    source = SourceText(markdown)
    elements = MarkdownParser().parse_again(source)
    headings = [element for element in elements if element.type is ElementType.HEADING]
    front = next((element.end for element in elements if element.type is ElementType.FRONT_MATTER), 0)
    sizes = [chunk.token_count for chunk in chunks] or [0]
    known = {text for chunk in chunks for text in chunk.section_path}
    contents = "\n".join(chunk.content for chunk in chunks)
    return ChunkValidation(
        chunks=len(chunks),
        tokens_total=sum(sizes),
        tokens_average=sum(sizes) / len(sizes),
        tokens_min=min(sizes),
        tokens_max=max(sizes),
        headings=dict(Counter(heading.level for heading in headings)),
        lost_headings=tuple(
            heading.metadata["text"]
            for heading in headings
            if heading.level <= _CHECKED_LEVELS
            and heading.metadata["text"] not in known
            and heading.content.strip() not in contents
        ),
        characters=len(_LETTER.findall(markdown, front)),
        covered_characters=_count_covered(markdown, chunks, front),
        chunks_with_code=sum(bool(_FENCE.search(chunk.content)) for chunk in chunks),
        over_limit=tuple(chunk.position for chunk in chunks if chunk.token_count > config.max_tokens),
        under_minimum=tuple(chunk.position for chunk in chunks if chunk.token_count < config.min_tokens),
    )


def _count_covered(markdown: str, chunks: Sequence[SemanticChunk], front: int) -> int:
    """Letters and digits inside the spans, each once."""
    covered = 0
    reached = front
    for start, end in sorted((chunk.start, chunk.end) for chunk in chunks):
        covered += len(_LETTER.findall(markdown, max(start, reached), max(end, reached)))
        reached = max(reached, end)
    return covered
