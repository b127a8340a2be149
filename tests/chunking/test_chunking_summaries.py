"""Summaries in the embedded text: they give way before the content does."""

from pathlib import Path

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenizerCounter, chunk_markdown, with_summary
from ragcrawler.items import SemanticChunk

_MARKDOWN = "# one outer\n\n## two inner\n\n" + "word " * 8 + "\n\n" + "more " * 10


def _last_chunk(counter: TokenizerCounter) -> SemanticChunk:
    config = ChunkingConfig(target_tokens=14, max_tokens=14, min_tokens=0, overlap_tokens=0, model="m")
    return chunk_markdown(_MARKDOWN, config=config, tokens=counter)[-1]


@pytest.mark.parametrize(
    ("limit", "front"),
    [
        (40, "one outer > two inner\n\nAbout more.\n\n"),
        (16, "two inner\n\nAbout more.\n\n"),
        (14, "About more.\n\n"),
    ],
)
def test_the_headings_give_way_from_the_outermost_on(tokenizer_file: Path, limit: int, front: str) -> None:
    counter = TokenizerCounter(tokenizer_file, limit_tokens=limit + 2)
    chunk = _last_chunk(counter)

    summarised = with_summary(chunk, "About more.", tokens=counter, model="m")

    assert summarised.embed_text == front + chunk.content
    assert summarised.summary == "About more."
    assert summarised.embed_hash != chunk.embed_hash


def test_a_summary_without_room_is_kept_but_not_embedded(tokenizer_file: Path) -> None:
    counter = TokenizerCounter(tokenizer_file, limit_tokens=14)
    chunk = _last_chunk(counter)

    summarised = with_summary(chunk, "A summary of many words.", tokens=counter, model="m")

    assert summarised.embed_text == chunk.embed_text
    assert summarised.embed_hash == chunk.embed_hash
    assert summarised.summary == "A summary of many words."


def test_no_summary_changes_nothing(tokenizer_file: Path) -> None:
    counter = TokenizerCounter(tokenizer_file, limit_tokens=40)
    chunk = _last_chunk(counter)

    assert with_summary(chunk, "", tokens=counter, model="m") is chunk


def test_a_link_in_the_content_is_not_taken_for_headings(tokenizer_file: Path) -> None:
    counter = TokenizerCounter(tokenizer_file, limit_tokens=42)
    config = ChunkingConfig(target_tokens=40, max_tokens=40, min_tokens=0, overlap_tokens=0, model="m")
    [chunk] = chunk_markdown("See [kites](https://h.example/).\n\nThey fly.", config=config, tokens=counter)

    summarised = with_summary(chunk, "About kites.", tokens=counter, model="m")

    assert summarised.embed_text == "About kites.\n\nSee kites.\n\nThey fly."
