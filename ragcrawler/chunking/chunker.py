"""Markdown into chunks."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.chunking.output.assembly import Assembly, DocumentIdentity
from ragcrawler.chunking.output.finishing import finish
from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.parsing.front_matter import front_matter_title
from ragcrawler.chunking.parsing.parser import MarkdownParser
from ragcrawler.chunking.parsing.sections import SectionAnalyzer
from ragcrawler.chunking.parsing.source import SourceText
from ragcrawler.chunking.sizing.budget import TokenBudget
from ragcrawler.chunking.sizing.token_map import TokenMap, count_visible
from ragcrawler.chunking.sizing.tokens import TokenCounter
from ragcrawler.chunking.strategies import open_strategy
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.chunking.strategies.protocol import ChunkingStrategy, SentenceEmbedder
from ragcrawler.items import Anchor, SemanticChunk, bounded_label

_MOST_ROUNDS = 12


@contextmanager
def _paused_collector() -> Iterator[None]:
    """Pause the cyclic garbage collector.

    Chunking makes very many small objects and no cycles among them: each collection walks them all and frees
    none, and the bigger the document the longer it takes. That cost a third of the time of a long table.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def chunk_markdown(  # noqa: PLR0913 - a contract: what a document is known by, each by its name
    markdown: str,
    *,
    config: ChunkingConfig,
    tokens: TokenCounter,
    document_id: str = "",
    url: str = "",
    title: str = "",
    anchors: Sequence[Anchor] = (),
    similarity: SentenceEmbedder | None = None,
    embedding_tokens: TokenCounter | None = None,
) -> list[SemanticChunk]:
    """The chunks of a document, in order.

    Args:
        markdown: the document.
        config: sizes and strategy; the content's limit is the smaller of `max_tokens` and the model's.
        tokens: counts the sizes of chunks; the embedding model's counter, unless that is given beside it.
        document_id: stands in every chunk and goes into the ids.
        url: of the document; the links of the chunks point into it.
        title: of the document; stands in for a first heading where there is none.
        anchors: the places in the document that a link can name, in line order.
        similarity: what the strategy `semantic` compares sentences with.
        embedding_tokens: the embedding model's counter, where `tokens` is another one: its limit holds too.

    Raises:
        ChunkBoundError: the document has more chunks, or bigger ones, than the configuration allows.
        ValueError: the strategy is unknown or lacks its embedder, or `max_tokens` is too small for any text.
    """
    strategy = open_strategy(config.strategy, similarity)
    with _paused_collector():
        document = _parse(markdown, config, tokens)
        drafts = _cut(document, strategy, tokens, embedding_tokens)
        title = bounded_label(title or front_matter_title(document.source))
        identity = DocumentIdentity(document_id, url, title, anchors)
        return Assembly(document, tokens, identity, embedding_tokens).chunks(drafts)


def _cut(
    document: ParsedDocument,
    strategy: ChunkingStrategy,
    tokens: TokenCounter,
    embedding_tokens: TokenCounter | None,
) -> list[Draft]:
    """Drafts within the limits; cut anew with less room if words together have more tokens than apart."""
    limit = document.budget.limit
    for attempt in range(_MOST_ROUNDS):
        drafts = finish(strategy(document), document.budget.map, tokens)
        bounded = [draft for draft in drafts if not draft.is_oversized]
        biggest = max((draft.tokens for draft in bounded), default=0)
        room = 1.0 if biggest <= limit else limit / (biggest + 1)
        if embedding_tokens is not None:
            room = min(room, _room_for(bounded, embedding_tokens))
        if room == 1.0:
            return drafts
        # In proportion first; where that is not enough (sizes in characters, say) by halves.
        document = document.narrower(1 / 2 if attempt else room)
    raise ValueError(
        f"after {_MOST_ROUNDS} rounds a chunk still has {biggest} tokens, over the limit of {limit}: "
        "raise max_tokens"
    )


def _room_for(drafts: Sequence[Draft], embedding_tokens: TokenCounter) -> float:
    """The share of its size that the embedding model would take of the biggest one; 1.0 where all fit."""
    biggest = max(count_visible(embedding_tokens, [draft.content for draft in drafts]), default=0)
    return 1.0 if biggest <= embedding_tokens.limit else embedding_tokens.limit / (biggest + 1)


def _parse(markdown: str, config: ChunkingConfig, tokens: TokenCounter) -> ParsedDocument:
    limit = min(config.max_tokens, tokens.limit)
    target = min(config.target_tokens, limit)
    config = replace(
        config, max_tokens=limit, target_tokens=target, min_tokens=min(config.min_tokens, target)
    )
    source = SourceText(markdown)
    elements = MarkdownParser().parse(source)
    root = SectionAnalyzer().analyze(elements)
    budget = TokenBudget(TokenMap(markdown, tokens), limit, config.truncation_buffer)
    return ParsedDocument(source, elements, root, budget, config)
