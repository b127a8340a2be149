"""The ways of cutting text that specification 004 shows: plain functions, text in and texts out.

They know no Markdown, no tokens and no model's limit. Crawls use the strategies of `chunk_markdown` instead.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean, pstdev

from ragcrawler.chunking.strategies.semantic import cosine

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_H2 = re.compile(r"\n## ")

EmbedTexts = Callable[[list[str]], Sequence[Sequence[float]]]


def chunk_by_char(text: str, chunk_size: int = 150, chunk_overlap: int = 20) -> list[str]:
    """Cut text every `chunk_size` characters; each chunk begins with the end of the one before.

    Raises:
        ValueError: the overlap is not smaller than the chunk: the cut would never end.
    """
    if not 0 <= chunk_overlap < chunk_size:
        raise ValueError(
            f"chunk_overlap={chunk_overlap} should be at least 0 and under chunk_size={chunk_size}"
        )
    last = max(len(text) - chunk_overlap, min(len(text), 1))
    return [text[start : start + chunk_size] for start in range(0, last, chunk_size - chunk_overlap)]


def chunk_by_sentence(text: str, max_sentences_per_chunk: int = 5, overlap_sentences: int = 1) -> list[str]:
    """Cut text after so many sentences; each chunk begins with the last sentences of the one before.

    As in the specification, the last chunk may hold nothing but that overlap.

    Raises:
        ValueError: the overlap is not smaller than the chunk: the cut would never end.
    """
    if not 0 <= overlap_sentences < max_sentences_per_chunk:
        raise ValueError(
            f"overlap_sentences={overlap_sentences} should be at least 0 and under"
            f" max_sentences_per_chunk={max_sentences_per_chunk}"
        )
    sentences = _SENTENCE_END.split(text)
    starts = range(0, len(sentences), max_sentences_per_chunk - overlap_sentences)
    return [" ".join(sentences[start : start + max_sentences_per_chunk]) for start in starts]


def chunk_by_section(document_text: str) -> list[str]:
    """Cut Markdown at its H2 headings; a section begins with the heading's words, without its marks."""
    return _H2.split(document_text)


def chunk_by_meaning(text: str, embedding_fn: EmbedTexts, least_similarity: float | None = None) -> list[str]:
    """Cut text between sentences that have less in common than others.

    Args:
        text: running text.
        embedding_fn: makes a vector of each of a list of texts.
        least_similarity: the cosine, from -1 to 1, under which two neighbours are parted; without it one
            standard deviation under the mean of the text.
    """
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    if len(sentences) < 2:  # noqa: PLR2004 - nothing to part
        return sentences
    similarities = [cosine(one, other) for one, other in pairwise(embedding_fn(sentences))]
    least = fmean(similarities) - pstdev(similarities) if least_similarity is None else least_similarity
    chunks = [[sentences[0]]]
    for sentence, similarity in zip(sentences[1:], similarities, strict=True):
        if similarity < least:
            chunks.append([])
        chunks[-1].append(sentence)
    return [" ".join(chunk) for chunk in chunks]
