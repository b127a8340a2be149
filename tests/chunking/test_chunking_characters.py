"""Characters: what few tokens hide, and what only looks like text."""

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenCounter, TokenizerCounter, chunk_markdown
from ragcrawler.chunking.parsing.hidden_text import visible

_USUAL = ChunkingConfig(target_tokens=400, max_tokens=512, min_tokens=100, overlap_tokens=50)
_SVG = "data:image/svg+xml,%3Csvg%20viewBox='0%200%2032%2032'%3E%3Cpath%20d='M1'/%3E%3C/svg%3E"
_PNG = f"data:image/png;base64,{'iVBORw0KGgo/' * 900}=="


@pytest.mark.parametrize(
    "markdown",
    [
        "deadbeef" * 5000,
        f"Before it. {'deadbeef' * 5000} Behind it.",
        "漢字" * 20_000,
        f"# a{' ' * 40_000}{{b",
        "a" + "\n" * 40_000 + "b",
        f"```\n{' ' * 20_000}x\n{'y' * 20_000}\n```",
        f"| a | b |\n|---|---|\n| k | x{' ' * 20_000}y |\n",
        f"| a | b |\n|---|---|\n| {'e0f1' * 5000} | y |\n",
        f"- item\n\n{' ' * 2}{'0' * 20_000}\n",
        f"<div>\n{'z' * 20_000}\n</div>",
    ],
)
def test_no_chunk_has_over_8000_characters_at_the_usual_limits(
    wordpiece: TokenizerCounter, markdown: str
) -> None:
    chunks = chunk_markdown(markdown, config=_USUAL, tokens=wordpiece)

    assert max(len(chunk.content) for chunk in chunks) <= 8000
    assert max(len(chunk.embed_text) for chunk in chunks) <= 8000
    assert all(chunk.content.strip() for chunk in chunks)
    spans = "".join(markdown[chunk.start : chunk.end] for chunk in chunks)
    assert sum(map(str.isalnum, spans)) == sum(map(str.isalnum, markdown))
    assert [chunk.token_count for chunk in chunks] == wordpiece.count_batch(
        [visible(c.content) for c in chunks]
    )


@pytest.mark.parametrize(
    ("markdown", "seen"),
    [
        ("![x](data:image/png;base64,iVBO/w0=) after", "x after"),
        ("See data:text/plain,hello%20there for it", "See text/plain for it"),
        ('<img src="data:image/svg+xml;utf8,<svg a=\'1\' b>" alt="x">', '<img src="image/svg+xml" alt="x">'),
        ("[r]: data:;base64,iVBO/w0=", "[r]: data"),
        ("a { b: url(DATA:image/gif;base64,R0lG) }", "a { b: url(image/gif }"),
        ("The data: it is here, and there", "The data: it is here, and there"),
        ("metadata:a/b,c", "metadata:a/b,c"),
    ],
)
def test_of_an_address_that_is_data_the_name_of_its_type_is_embedded(markdown: str, seen: str) -> None:
    assert visible(markdown) == seen


@pytest.mark.parametrize("address", [_PNG, _SVG * 60, f"{_SVG} " * 60])
def test_data_is_never_embedded_however_long_it_is(wordpiece: TokenizerCounter, address: str) -> None:
    for markdown in (f"One ![two]({address}) three.", f'<p>One</p>\n<img src="{address}">\n<p>three</p>'):
        chunks = chunk_markdown(markdown, config=_USUAL, tokens=wordpiece)

        embedded = " ".join(chunk.embed_text for chunk in chunks)
        assert "One" in embedded
        assert "three" in embedded
        if " " not in address or "<img" in markdown:
            assert not any(piece in embedded for piece in ("data:", "base64", "iVBO", "viewBox"))
        assert all(chunk.embed_text for chunk in chunks)


def test_a_byte_order_mark_hides_no_heading_and_no_front_matter(words: TokenCounter) -> None:
    for front in ("", "---\ntitle: T\n---\n"):
        markdown = f"\ufeff{front}# H\n\ntext\n"
        [chunk] = chunk_markdown(markdown, config=_USUAL, tokens=words)

        assert chunk.section_path == ("H",)
        assert chunk.content == "# H\n\ntext"
        assert markdown[chunk.start : chunk.end] == chunk.content


@pytest.mark.parametrize("value", ["a...", "a ---", "...", "--- b", "a---"])
def test_front_matter_goes_on_behind_a_value_that_looks_like_its_end(words: TokenCounter, value: str) -> None:
    [chunk] = chunk_markdown(f"---\ntitle: {value}\nb: c\n---\n\ntext\n", config=_USUAL, tokens=words)

    assert chunk.content == "text"
