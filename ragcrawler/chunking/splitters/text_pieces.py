"""Cuts running text into pieces that fit, by ever finer boundaries."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ragcrawler.chunking.parsing.data_addresses import data_spans
from ragcrawler.chunking.sizing.budget import TokenBudget
from ragcrawler.chunking.sizing.token_map import MOST_CHARACTERS_A_TOKEN
from ragcrawler.chunking.sizing.units import Boundary
from ragcrawler.chunking.splitters import runs, sentences


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that fits; `text` and `full_text` as in `Unit`."""

    start: int
    end: int
    tokens: int
    boundary: int
    text: str | None = None
    full_text: str = ""


# Specification 000: at most three rounds of ever finer cuts below the paragraph.
_LEVELS: tuple[tuple[Callable[[str], list[int]], Boundary], ...] = (
    (sentences.sentence_ends, Boundary.SENTENCE),
    (sentences.weak_sentence_ends, Boundary.SENTENCE),
    (sentences.clause_ends, Boundary.CLAUSE),
    (sentences.word_ends, Boundary.WORD),
    (runs.run_ends, Boundary.WORD),
)
SENTENCES = 0
WORDS = 3


def split_text(start: int, end: int, budget: TokenBudget, level: int = SENTENCES) -> list[Piece]:
    """Pieces of the document's `start:end` in order, each of at most `budget.limit` tokens, nothing lost.

    Args:
        start: offset of the text's first character.
        end: offset behind its last.
        budget: the limit, and the counts of the document.
        level: where to begin, `SENTENCES` or `WORDS`.
    """
    cut, boundary = _LEVELS[level]
    text = budget.text[start:end]
    offsets = cut(text)
    if level <= WORDS:
        offsets = sentences.outside(offsets, _unbreakable(text, start, budget))
    edges = [start, *(start + offset for offset in offsets if offset < len(text)), end]
    spans = [span for span in pairwise(edges) if not budget.text[slice(*span)].isspace()]
    counts = budget.count_spans(spans)
    pieces: list[Piece] = []
    loose: list[Piece] = []
    for (first, behind), tokens in zip(spans, counts, strict=True):
        if tokens <= budget.limit:
            loose.append(Piece(first, behind, tokens, boundary))
            continue
        pieces += loose if level == SENTENCES else joined(loose, budget)
        loose = []
        pieces += _finer(first, behind, budget, level)
    return pieces + (loose if level == SENTENCES else joined(loose, budget))


def _finer(start: int, end: int, budget: TokenBudget, level: int) -> list[Piece]:
    if level + 1 < len(_LEVELS):
        return split_text(start, end, budget, level + 1)
    return [_truncate(start, end, budget)]


def _unbreakable(text: str, start: int, budget: TokenBudget) -> list[tuple[int, int]]:
    """The spans that stay whole: those that fit, and data, of which a part says nothing."""
    spans = sentences.whole_spans(text)
    counts = budget.count_spans([(start + first, start + behind) for first, behind in spans])
    fitting = [span for span, tokens in zip(spans, counts, strict=True) if tokens <= budget.limit]
    data = data_spans(text)
    return sorted(fitting + data) if data else fitting


def joined(pieces: list[Piece], budget: TokenBudget) -> list[Piece]:
    """As few pieces as there can be, of about one size; one that stands for a longer run stays alone."""
    if not pieces:
        return []
    total = sum(piece.tokens for piece in pieces)
    aim = total / -(-total // budget.limit) if total else 1
    made = [pieces[0]]
    for piece in pieces[1:]:
        last = made[-1]
        are_whole = last.text is None and piece.text is None
        fits = max(last.tokens + piece.tokens, budget.map.weigh(last.start, piece.end)) <= budget.limit
        if are_whole and fits and last.tokens < aim:
            made[-1] = Piece(last.start, piece.end, last.tokens + piece.tokens, last.boundary)
        else:
            made.append(piece)
    return made


def _truncate(start: int, end: int, budget: TokenBudget) -> Piece:
    """The beginning of a run that nothing can break, with the whole of it beside."""
    room = max(1, budget.limit - budget.truncation_buffer)
    run = budget.text[start:end]
    fits, over = 1, min(len(run), room * MOST_CHARACTERS_A_TOKEN) + 1
    while over - fits > 1:
        middle = (fits + over) // 2
        if budget.count(run[:middle]) <= room:
            fits = middle
        else:
            over = middle
    kept = run[:fits]
    return Piece(start, end, budget.count(kept), Boundary.WORD, kept, run)
