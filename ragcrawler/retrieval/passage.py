"""Hits as passages: joined with their neighbours, merged where they touch, each with its citation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.joining import readable_text
from ragcrawler.retrieval.short_links import plain_label
from ragcrawler.stores import Hit, ReadableStore
from ragcrawler.stores.payload import PATH_SEPARATOR

Context = int | Literal["section"]
"""How many neighbours on each side are joined to a hit, or the whole section that it stands in."""

# A glossary or a log may be one section of a thousand chunks.
_MOST_OF_A_SECTION = 20


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document around its hits.

    Attributes:
        chunks: the chunks it is made of, neighbours in the order of the document.
        hits: those of them that were found, best first.
        score: of the best one.
        text: theirs as one, Markdown, its links and pictures by their labels.
        is_cut: the text ends before the chunks do, for want of room.
        links: the addresses of its links by their numbers in the text, from 1; None where it has no numbers.
    """

    chunks: tuple[SemanticChunk, ...]
    hits: tuple[SemanticChunk, ...]
    score: float
    text: str
    is_cut: bool = False
    links: tuple[str, ...] | None = None

    @property
    def title(self) -> str:
        """Of the document, "" where it has none."""
        return self.hits[0].document_title

    @property
    def section_path(self) -> tuple[str, ...]:
        """The headings above the best hit, without marks of Markdown."""
        return tuple(map(plain_label, self.hits[0].section_path))

    @property
    def link(self) -> str:
        """The page, with the anchor of the nearest heading above the best hit."""
        return self.hits[0].chunk_link or self.hits[0].source_url

    @property
    def suspicious(self) -> tuple[str, ...]:
        """Parts of the text that read like instructions to a model."""
        return tuple(dict.fromkeys(each for chunk in self.chunks for each in chunk.extra.suspicious))


def passages(
    store: ReadableStore, hits: Sequence[Hit], context: Context = 0, *, number_links: bool = False
) -> list[Passage]:
    """The hits with their context, best first; what touches or overlaps is one passage.

    Args:
        store: has the neighbours.
        hits: best first.
        context: how much around them.
        number_links: links have numbers in the text, and their addresses stand beside it.

    Raises:
        StoreError: the store cannot be read.
        ValueError: `context` is negative.
    """
    around = _section(store, hits) if context == "section" else _neighbours(store, hits, context)
    by_document: dict[str, dict[int, SemanticChunk]] = {}
    for chunk in (*around, *(hit.chunk for hit in hits)):
        by_document.setdefault(chunk.document_id, {})[chunk.position] = chunk
    rank = {hit.chunk.id: number for number, hit in enumerate(hits)}
    made = [
        _passage(run, hits, rank, number_links=number_links)
        for chunks in by_document.values()
        for run in _runs(chunks)
        if any(chunk.id in rank for chunk in run)
    ]
    return sorted(made, key=lambda passage: rank[passage.hits[0].id])


def context_within(budget: int) -> Context:
    """The context where none is asked for: a neighbour on each side in a budget of words, else none.

    Ten hits seldom fill a budget, and their neighbours hold more of an answer than further hits do.
    """
    return 1 if budget else 0


def single_passages(hits: Sequence[Hit]) -> list[Passage]:
    """Each hit as a passage of its own, though it may touch others."""
    return [_passage([hit.chunk], [hit], {hit.chunk.id: 0}, number_links=False) for hit in hits]


def _neighbours(store: ReadableStore, hits: Sequence[Hit], steps: int) -> list[SemanticChunk]:
    """Up to so many chunks on each side; all of a step are read at once."""
    if steps < 0:
        raise ValueError(f"context is {steps}: give the number of neighbours on each side, or section.")
    found: list[SemanticChunk] = []
    before = after = [hit.chunk for hit in hits]
    for _ in range(steps):
        if not before and not after:
            break
        before = store.get([chunk.prev_chunk_id for chunk in before if chunk.prev_chunk_id])
        after = store.get([chunk.next_chunk_id for chunk in after if chunk.next_chunk_id])
        found += [*before, *after]
    return found


def _section(store: ReadableStore, hits: Sequence[Hit]) -> list[SemanticChunk]:
    """The chunks under the same headings; of a very long section those nearest to the hit."""
    found: list[SemanticChunk] = []
    for chunk in (hit.chunk for hit in hits):
        path = PATH_SEPARATOR.join(chunk.section_path)
        section = store.scroll(filters={"document_id": chunk.document_id, "section_path": path})
        found += sorted(section, key=lambda each: abs(each.position - chunk.position))[:_MOST_OF_A_SECTION]
    return found


def _runs(chunks: Mapping[int, SemanticChunk]) -> Iterable[list[SemanticChunk]]:
    """The chunks of one document, parted where one is missing between two."""
    run: list[SemanticChunk] = []
    for position in sorted(chunks):
        if run and run[-1].position != position - 1:
            yield run
            run = []
        run.append(chunks[position])
    if run:
        yield run


def _passage(
    run: Sequence[SemanticChunk], hits: Sequence[Hit], rank: Mapping[str, int], *, number_links: bool
) -> Passage:
    found = sorted((chunk for chunk in run if chunk.id in rank), key=lambda chunk: rank[chunk.id])
    text, links = readable_text(run, number_links=number_links)
    return Passage(tuple(run), tuple(found), hits[rank[found[0].id]].score, text, links=links)
