"""Strategies that see a document as running text: by size, by sentences (specification 004)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.parsing.elements import ElementType
from ragcrawler.chunking.splitters.paragraph import piece_unit
from ragcrawler.chunking.splitters.text_pieces import SENTENCES, WORDS, Piece, split_text
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.chunking.strategies.section_spans import sections_at


def cut_by_size(document: ParsedDocument) -> Iterator[Draft]:
    """As many words as the target allows, whatever they are."""
    return _drafts(document, WORDS)


def cut_by_sentences(document: ParsedDocument) -> Iterator[Draft]:
    """As many whole sentences as the target allows; a sentence over the target is cut like any."""
    return _drafts(document, SENTENCES)


def _drafts(document: ParsedDocument, level: int) -> Iterator[Draft]:
    front = [element.end for element in document.elements if element.type is ElementType.FRONT_MATTER]
    text = document.source.text
    begin = front[0] if front else document.source.offset(0)
    if not text[begin:].strip():
        return
    budget = replace(document.budget, limit=document.config.target_tokens)
    pieces = split_text(begin, len(text), budget, level)
    for number, run in enumerate(_fill(pieces, budget.limit)):
        units = [piece_unit(piece) for piece in run]
        yield Draft(units, sections_at(document.root, units[0].start, units[-1].end), number)


def _fill(pieces: Iterable[Piece], limit: int) -> Iterator[list[Piece]]:
    """Neighbours together as long as they fit."""
    run: list[Piece] = []
    size = 0
    for piece in pieces:
        if run and size + piece.tokens > limit:
            yield run
            run, size = [], 0
        run.append(piece)
        size += piece.tokens
    if run:
        yield run
