"""Markdown into chunks."""

from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.chunking.assembly import Assembly
from ragcrawler.chunking.budget import Budget
from ragcrawler.chunking.config import ChunkingConfig
from ragcrawler.chunking.finishing import finish
from ragcrawler.chunking.parsed import ParsedDocument
from ragcrawler.chunking.parser import MarkdownParser
from ragcrawler.chunking.sections import SectionAnalyzer
from ragcrawler.chunking.similarity import SentenceEmbedder
from ragcrawler.chunking.source import SourceText
from ragcrawler.chunking.strategies.structure import cut_by_structure
from ragcrawler.chunking.token_map import TokenMap
from ragcrawler.chunking.tokens import TokenCounter
from ragcrawler.items import Anchor, SemanticChunk


def chunk_markdown(
    markdown: str,
    *,
    config: ChunkingConfig,
    tokens: TokenCounter,
    document_id: str = "",
    url: str = "",
    title: str = "",
    anchors: Sequence[Anchor] = (),
    similarity: SentenceEmbedder | None = None,
) -> list[SemanticChunk]:
    """The chunks of a document, in order.

    Args:
        markdown: the document.
        config: sizes and strategy; the content's limit is the smaller of `max_tokens` and the model's.
        tokens: the embedding model's counter.
        document_id: stands in every chunk and goes into the ids.
        url: of the document; the links of the chunks point into it.
        title: of the document; stands in for a first heading where there is none.
        anchors: the places in the document that a link can name, in line order.
        similarity: what the strategy `semantic` compares sentences with.
    """
    document = _parse(markdown, config, tokens)
    drafts = finish(cut_by_structure(document), document.budget.map, tokens)
    return Assembly(document, tokens, document_id, url, title, anchors).chunks(drafts)


def _parse(markdown: str, config: ChunkingConfig, tokens: TokenCounter) -> ParsedDocument:
    limit = min(config.max_tokens, tokens.limit)
    target = min(config.target_tokens, limit)
    config = replace(
        config, max_tokens=limit, target_tokens=target, min_tokens=min(config.min_tokens, target)
    )
    source = SourceText(markdown)
    elements = MarkdownParser().parse(source)
    root = SectionAnalyzer().analyze(elements)
    return ParsedDocument(source, elements, root, Budget(TokenMap(markdown, tokens), limit), config)
