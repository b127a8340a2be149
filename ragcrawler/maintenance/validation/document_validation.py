"""The figures of one document, and of all."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from ragcrawler.chunking import ChunkingConfig, ChunkValidation, TokenCounter, validate
from ragcrawler.chunking.parsing.hidden_text import visible
from ragcrawler.items import Document


@dataclass(frozen=True, slots=True)
class DocumentValidation:
    """The chunks of a document, compared with it.

    Attributes:
        url: of the document, or the name of its file.
        source_tokens: of its text.
        figures: of the chunks.
        over_limit: `chunk_id` of those over the limit.
        under_minimum: `chunk_id` of those under the minimum.
    """

    url: str
    source_tokens: int
    figures: ChunkValidation
    over_limit: tuple[str, ...]
    under_minimum: tuple[str, ...]

    def findings(self, *, is_strict: bool = False) -> list[str]:
        """The faults in words; small chunks count only where it is strict, for short sections make them."""
        figures = self.figures
        lost = figures.characters - figures.covered_characters
        found = [f"lost heading: {heading}" for heading in figures.lost_headings]
        found += [f"over the limit: {chunk_id}" for chunk_id in self.over_limit]
        if lost:
            found.append(f"{lost} of {figures.characters} letters and digits in no chunk")
        if not figures.chunks and figures.characters:
            found.append("no chunks")
        if is_strict:
            found += [f"under the minimum: {chunk_id}" for chunk_id in self.under_minimum]
        return found

    def record(self, *, is_strict: bool = False) -> dict[str, Any]:
        """JSON values, for the data file."""
        figures = asdict(self.figures) | {"is_lossless": self.figures.is_lossless}
        own = {"over_limit": list(self.over_limit), "under_minimum": list(self.under_minimum)}
        findings = self.findings(is_strict=is_strict)
        return {"url": self.url, "source_tokens": self.source_tokens, **figures, **own, "findings": findings}


def validate_document(document: Document, config: ChunkingConfig, tokens: TokenCounter) -> DocumentValidation:
    """Hold the chunks of a document against its text, and their sizes against the configuration.

    A chunk that is marked as oversized is so by order, and counts as one over the limit all the same.
    """
    figures = validate(document.markdown, document.chunks, config)
    names = {chunk.position: chunk.chunk_id for chunk in document.chunks}
    return DocumentValidation(
        url=document.url,
        source_tokens=tokens.count(visible(document.markdown)),
        figures=figures,
        over_limit=tuple(names[position] for position in figures.over_limit),
        under_minimum=tuple(names[position] for position in figures.under_minimum),
    )


@dataclass(slots=True)
class ValidationSums:
    """The figures of all documents (specification 003, section 8).

    Attributes:
        documents: how many there are.
        urls: the different ones among their addresses.
        source_tokens: of their texts.
        chunks: how many there are.
        tokens: of all chunks.
        tokens_min: of the smallest chunk.
        tokens_max: of the biggest.
        headings: by level.
        lost_headings: H1 and H2 that are in no chunk.
        lost_characters: letters and digits that are in no chunk.
        with_code: chunks with code.
        over_limit: chunks over the limit.
        under_minimum: chunks under the minimum.
        findings: how many there are.
    """

    documents: int = 0
    urls: set[str] = field(default_factory=set)
    source_tokens: int = 0
    chunks: int = 0
    tokens: int = 0
    tokens_min: int = 0
    tokens_max: int = 0
    headings: Counter[int] = field(default_factory=Counter)
    lost_headings: int = 0
    lost_characters: int = 0
    with_code: int = 0
    over_limit: int = 0
    under_minimum: int = 0
    findings: int = 0

    def add(self, one: DocumentValidation, *, is_strict: bool = False) -> None:
        """Add the figures of a document."""
        figures = one.figures
        if figures.chunks:
            smallest = figures.tokens_min
            self.tokens_min = min(self.tokens_min, smallest) if self.chunks else smallest
            self.tokens_max = max(self.tokens_max, figures.tokens_max)
        self.documents += 1
        self.urls.add(one.url)
        self.source_tokens += one.source_tokens
        self.chunks += figures.chunks
        self.tokens += figures.tokens_total
        self.headings.update(figures.headings)
        self.lost_headings += len(figures.lost_headings)
        self.lost_characters += figures.characters - figures.covered_characters
        self.with_code += figures.chunks_with_code
        self.over_limit += len(one.over_limit)
        self.under_minimum += len(one.under_minimum)
        self.findings += len(one.findings(is_strict=is_strict))

    def rows(self) -> dict[str, str]:
        """Words to figures, for people."""
        average = self.tokens / self.chunks if self.chunks else 0.0
        levels = {f"headings H{level}": str(count) for level, count in sorted(self.headings.items())}
        return {
            "documents": str(self.documents),
            "unique URLs": str(len(self.urls)),
            "tokens of the documents": str(self.source_tokens),
            "chunks": str(self.chunks),
            "tokens of the chunks": str(self.tokens),
            "tokens of a chunk: average": f"{average:.1f}",
            "tokens of a chunk: smallest, biggest": f"{self.tokens_min}, {self.tokens_max}",
            **levels,
            "H1 and H2 lost": str(self.lost_headings),
            "letters and digits in no chunk": str(self.lost_characters),
            "chunks with code": str(self.with_code),
            "chunks over the limit": str(self.over_limit),
            "chunks under the minimum": str(self.under_minimum),
            "findings": str(self.findings),
        }

    def record(self) -> dict[str, Any]:
        """JSON values, for the data file."""
        average = round(self.tokens / self.chunks, 2) if self.chunks else 0.0
        sums = {name: getattr(self, name) for name in self.__slots__ if name != "urls"}
        return {"sums": sums | {"urls": len(self.urls), "tokens_average": average}}
