"""The functions of specification 004, beside the code that stands there."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from ragcrawler.chunking import chunk_by_char, chunk_by_meaning, chunk_by_section, chunk_by_sentence


def specified_by_char(text: str, chunk_size: int = 150, chunk_overlap: int = 20) -> list[str]:
    chunks = []
    start_idx = 0

    while start_idx < len(text):
        end_idx = min(start_idx + chunk_size, len(text))
        chunk_text = text[start_idx:end_idx]
        chunks.append(chunk_text)

        start_idx = end_idx - chunk_overlap if end_idx < len(text) else len(text)

    return chunks


def specified_by_sentence(
    text: str, max_sentences_per_chunk: int = 5, overlap_sentences: int = 1
) -> list[str]:
    sentences = re.split(r"(?<=[.!?])\s+", text)

    chunks = []
    start_idx = 0

    while start_idx < len(sentences):
        end_idx = min(start_idx + max_sentences_per_chunk, len(sentences))
        current_chunk = sentences[start_idx:end_idx]
        chunks.append(" ".join(current_chunk))

        start_idx += max_sentences_per_chunk - overlap_sentences

        start_idx = max(start_idx, 0)

    return chunks


def embed(sentences: list[str]) -> list[list[float]]:
    """How much of each subject is in a sentence."""
    return [
        [sentence.lower().count("pump") + 0.1, sentence.lower().count("bread") + 0.1]
        for sentence in sentences
    ]


@settings(max_examples=80, deadline=None)
@given(some.text("ab.! \n", max_size=90), some.integers(1, 30), some.integers(0, 29))
def test_both_cut_as_the_specification_s_code_does(text: str, size: int, overlap: int) -> None:
    overlap = min(overlap, size - 1)
    assert chunk_by_char(text, size, overlap) == specified_by_char(text, size, overlap)
    assert chunk_by_sentence(text, size, overlap) == specified_by_sentence(text, size, overlap)


def test_the_defaults_are_those_of_the_specification() -> None:
    text = "One sentence of many. " * 30
    assert chunk_by_char(text) == chunk_by_char(text, 150, 20) == specified_by_char(text)
    assert chunk_by_sentence(text) == chunk_by_sentence(text, 5, 1) == specified_by_sentence(text)


def test_a_document_of_325_characters_is_three_chunks_of_about_one_size() -> None:
    assert [len(chunk) for chunk in chunk_by_char("x" * 325, 109, 0)] == [109, 109, 107]


def test_each_section_is_a_chunk_without_its_marks() -> None:
    assert chunk_by_section("# Report\n\n## Medicine\nTrial.\n## Software\nBug.") == [
        "# Report\n",
        "Medicine\nTrial.",
        "Software\nBug.",
    ]


@pytest.mark.parametrize("cut", [chunk_by_char, chunk_by_sentence])
@pytest.mark.parametrize(("size", "overlap"), [(5, 5), (0, 0), (5, -1)])
def test_a_cut_that_would_never_end_is_refused(cut: Callable[..., Any], size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match=f"={overlap} should be at least 0 and under .*={size}"):
        cut("some text", size, overlap)


def test_sentences_of_one_subject_stay_together() -> None:
    text = "A pump. The pump runs. Pumps and a pump! Bread is baked. Warm bread. Good bread?"
    assert chunk_by_meaning(text, embed) == [
        "A pump. The pump runs. Pumps and a pump!",
        "Bread is baked. Warm bread. Good bread?",
    ]
    assert chunk_by_meaning(text, embed, least_similarity=-1) == [text]
    assert len(chunk_by_meaning(text, embed, least_similarity=1.01)) == 6


@pytest.mark.parametrize(("text", "chunks"), [("", []), ("One.", ["One."]), (" \n", [])])
def test_what_has_no_two_sentences_is_not_embedded(text: str, chunks: list[str]) -> None:
    assert chunk_by_meaning(text, lambda _: pytest.fail("embedded")) == chunks
