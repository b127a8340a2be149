"""The other ways of making chunks, behind the same call."""

from collections.abc import Sequence
from typing import get_args

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenCounter, chunk_markdown
from ragcrawler.chunking.config import STRATEGY_NAMES, Strategy
from ragcrawler.chunking.strategies.registry import STRATEGIES, open_strategy
from ragcrawler.items import SemanticChunk

_SENTENCES = " ".join(f"Sentence {n} has six words." for n in range(12))


class TopicEmbedder:
    """A vector that tells cats from boats: enough to see where the meaning turns."""

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return [[text.count("cat") + 0.1, text.count("boat") + 0.1] for text in texts]


def _chunks(markdown: str, words: TokenCounter, strategy: Strategy, size: int = 20) -> list[SemanticChunk]:
    config = ChunkingConfig(
        target_tokens=size, max_tokens=size, min_tokens=5, overlap_tokens=5, strategy=strategy
    )
    return chunk_markdown(markdown, config=config, tokens=words, similarity=TopicEmbedder())


def test_by_size_every_chunk_but_the_last_is_full(words: TokenCounter) -> None:
    chunks = _chunks("word " * 100, words, "size")

    assert [chunk.token_count for chunk in chunks] == [20] * 5


def test_by_size_the_neighbours_words_are_kept_beside(words: TokenCounter) -> None:
    chunks = _chunks(" ".join(f"w{n}" for n in range(60)), words, "size")

    assert chunks[1].context_before == "w15 w16 w17 w18 w19"
    assert chunks[1].context_after == "w40 w41 w42 w43 w44"


def test_by_sentences_none_is_cut_and_headings_do_not_matter(words: TokenCounter) -> None:
    chunks = _chunks(f"# A\n\n{_SENTENCES}", words, "sentences")

    assert all(chunk.content.endswith(".") for chunk in chunks)
    assert max(chunk.token_count for chunk in chunks) <= 20
    assert {chunk.section_path for chunk in chunks} == {("A",)}


def test_by_sections_short_ones_stay_alone_and_long_ones_are_numbered(words: TokenCounter) -> None:
    chunks = _chunks(f"# A\n\none two\n\n## B\n\nthree\n\n## C\n\n{_SENTENCES}", words, "sections")

    assert [chunk.section_path for chunk in chunks[:2]] == [("A",), ("A", "B")]
    assert {chunk.section_path for chunk in chunks[2:]} == {("A", "C")}
    assert chunks[2].split_sequence == f"1/{len(chunks) - 2}"


def test_by_meaning_the_cut_is_where_the_topic_turns(words: TokenCounter) -> None:
    cats = "The cat is a cat. My cat sees a cat. "
    boats = "The boat is a boat. My boat meets a boat. A boat and a boat. No boat but a boat."

    chunks = _chunks(cats + boats, words, "semantic", size=25)

    assert ["cat" in chunk.content for chunk in chunks] == [True, False]
    assert ["boat" in chunk.content for chunk in chunks] == [False, True]


def test_by_meaning_code_and_tables_stay_whole(words: TokenCounter) -> None:
    code = "```sh\nmake the cat\nmake the boat\n```"

    chunks = _chunks(f"A cat. A boat.\n\n{code}", words, "semantic")

    assert any(code in chunk.content for chunk in chunks)


def test_h2_sections_have_500_to_1500_characters(words: TokenCounter) -> None:
    section = "A paragraph of about fifty characters stands right here.\n\n" * 5
    markdown = "# T\n\n" + "".join(f"## S{n}\n\n{section * (n + 1)}### Deep\n\n{section}" for n in range(6))

    chunks = _chunks(markdown, words, "h2_characters", size=1000)

    assert all(300 <= len(chunk.content) <= 1500 for chunk in chunks)
    assert chunks[0].content.startswith("# T\n\n## S0\n")
    assert "### Deep" in chunks[0].content


def test_h2_sections_have_100_characters_of_their_neighbours(words: TokenCounter) -> None:
    section = "A paragraph of about fifty characters stands right here.\n\n" * 10
    markdown = "# T\n\n" + "".join(f"## S{n}\n\n{section}Section {n} ends.\n\n" for n in range(4))

    chunks = _chunks(markdown, words, "h2_characters", size=1000)

    assert [chunk.section_title for chunk in chunks] == ["S0", "S1", "S2", "S3"]
    assert [chunk.context_before for chunk in chunks] == [
        "",
        *(f"A paragraph of about fifty characters stands right here.\n\nSection {n} ends." for n in range(3)),
    ]
    assert [chunk.context_after for chunk in chunks] == [
        *(f"## S{n}\n\nA paragraph of about fifty characters stands right here." for n in range(1, 4)),
        "",
    ]


def test_h2_sections_hold_the_models_limit_too(words: TokenCounter) -> None:
    chunks = _chunks("a b c d " * 400, words, "h2_characters", size=50)

    assert max(chunk.token_count for chunk in chunks) <= 50
    assert sum(chunk.token_count for chunk in chunks) == 1600


def test_the_semantic_strategy_says_what_it_lacks(words: TokenCounter) -> None:
    with pytest.raises(ValueError, match="give an embedder as `similarity`"):
        chunk_markdown("a", config=ChunkingConfig(strategy="semantic"), tokens=words)


def test_an_unknown_strategy_is_refused_with_the_known_ones(words: TokenCounter) -> None:
    config = ChunkingConfig(strategy="magic")  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="no strategy 'magic': choose one of structure, size"):
        chunk_markdown("a", config=config, tokens=words)


def test_every_name_of_a_strategy_opens_one() -> None:
    opened = [open_strategy(name, TopicEmbedder()) for name in get_args(Strategy)]
    assert len(set(map(id, opened))) == len(STRATEGY_NAMES) == len(STRATEGIES) + 1  # semantic is made anew
