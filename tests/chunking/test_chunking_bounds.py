"""What one document may become is bounded, whatever its headings say."""

import pytest

from ragcrawler.chunking import ChunkBoundError, ChunkingConfig, chunk_markdown
from ragcrawler.items import LABEL_CHARACTERS

WORDS = "The vent closes at a wind of forty knots from the west. "
LONG = "word " * 2_000


@pytest.mark.parametrize(
    "markdown",
    [
        f"# {LONG}\n\n{WORDS * 200}",
        f"{LONG}\n---\n\n{WORDS * 200}",
        f"---\ntitle: {LONG}\n---\n\n{WORDS * 200}",
        "".join(f"{'#' * level} {LONG}\n\n" for level in range(1, 7)) + WORDS * 200,
    ],
)
def test_titles_and_paths_are_short_and_no_text_is_lost(markdown: str, words) -> None:
    chunks = chunk_markdown(markdown, config=ChunkingConfig(), tokens=words)
    for chunk in chunks:
        labels = [
            chunk.document_title,
            chunk.parent_section,
            *chunk.section_path,
            *dict(chunk.headers).values(),
        ]
        assert max(map(len, labels)) <= LABEL_CHARACTERS
    assert sum(chunk.content.count("word") for chunk in chunks) >= LONG.count("word") or "title:" in markdown


def test_a_code_language_is_not_repeated_at_length(words) -> None:
    markdown = f"```{'x' * 5_000}\n" + "value = 1\n" * 2_000 + "```\n"
    chunks = chunk_markdown(markdown, config=ChunkingConfig(), tokens=words)
    assert sum(len(chunk.content) for chunk in chunks) < 2 * len(markdown)


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [({"max_chunks": 3}, "too_many_chunks"), ({"max_stored_bytes": 5_000}, "chunks_too_large")],
)
def test_a_document_over_a_bound_is_refused(bounds: dict[str, int], reason: str, words) -> None:
    with pytest.raises(ChunkBoundError) as caught:
        chunk_markdown(WORDS * 500, config=ChunkingConfig(**bounds), tokens=words)
    assert caught.value.reason == reason
    assert str(next(iter(bounds.values()))) in str(caught.value)


def test_a_document_at_its_bounds_is_cut(words) -> None:
    config = ChunkingConfig()
    free = chunk_markdown(WORDS * 500, config=config, tokens=words)
    bounded = ChunkingConfig(max_chunks=len(free), max_stored_bytes=1_000_000)
    assert chunk_markdown(WORDS * 500, config=bounded, tokens=words) == free
