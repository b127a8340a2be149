"""Sizes: what is given is kept, what is not follows from it, what cannot be is refused."""

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenCounter, chunk_markdown
from ragcrawler.chunking.sizing.sizes import with_sizes


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, (400, 512, 100, 50)),
        ({"max_tokens": 170}, (133, 170, 33, 16)),
        ({"target_tokens": 200}, (200, 512, 50, 25)),
        ({"target_tokens": 128, "max_tokens": 128}, (128, 128, 32, 16)),
        ({"max_tokens": 256, "min_tokens": 0, "overlap_tokens": 0}, (200, 256, 0, 0)),
    ],
)
def test_sizes_that_are_not_given_follow_from_the_others(
    given: dict[str, int], expected: tuple[int, int, int, int]
) -> None:
    config = with_sizes(ChunkingConfig(), 512, **given)

    assert (config.target_tokens, config.max_tokens, config.min_tokens, config.overlap_tokens) == expected


def test_a_target_over_the_maximum_is_refused() -> None:
    with pytest.raises(ValueError, match="target_tokens=50 is over max_tokens=40"):
        with_sizes(ChunkingConfig(), 512, target_tokens=50, max_tokens=40)


@pytest.mark.parametrize("name", ["target_tokens", "max_tokens", "min_tokens", "overlap_tokens"])
def test_a_size_that_cannot_be_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is -1, but should be at least"):
        ChunkingConfig(**{name: -1})


def test_the_smallest_limit_still_keeps_every_word(words: TokenCounter) -> None:
    config = ChunkingConfig(target_tokens=1, max_tokens=1, min_tokens=0, overlap_tokens=0)

    chunks = chunk_markdown("# one\n\ntwo three\n", config=config, tokens=words)

    assert "".join(chunk.content for chunk in chunks).replace("#", "").split() == ["onetwothree"]
