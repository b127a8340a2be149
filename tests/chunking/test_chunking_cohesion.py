"""Long text without headings is cut where its words change."""

import random

from ragcrawler.chunking import ChunkingConfig, TokenizerCounter, chunk_markdown

_SUBJECTS = {
    "bees": ["hive", "queen", "nectar", "swarm", "honeycomb", "pollen", "drone", "brood", "keeper", "smoke"],
    "ships": ["harbour", "anchor", "mast", "sailor", "cargo", "hull", "captain", "voyage", "deck", "rudder"],
    "bread": ["dough", "yeast", "oven", "flour", "crust", "knead", "loaf", "baker", "gluten", "sourdough"],
}


def _sentences(subject: str, count: int, chance: random.Random) -> str:
    """Sentences of one subject; each has words in common with its neighbours."""
    words = _SUBJECTS[subject]
    return " ".join(f"The {' and the '.join(chance.sample(words, 5))}." for _ in range(count))


def _subjects_of(content: str) -> set[str]:
    return {subject for subject, words in _SUBJECTS.items() if any(word in content for word in words)}


def _mixed_chunks(text: str, tokens: TokenizerCounter) -> int:
    config = ChunkingConfig(target_tokens=100, max_tokens=128, min_tokens=32, overlap_tokens=0)
    chunks = chunk_markdown(text, config=config, tokens=tokens)
    return sum(len(_subjects_of(chunk.content)) > 1 for chunk in chunks)


def test_a_long_paragraph_is_cut_where_its_subject_changes(wordpiece: TokenizerCounter) -> None:
    chance = random.Random(7)
    text = " ".join(
        _sentences(subject, 23, chance) for subject in ("bees", "ships", "bread", "bees", "bread")
    )

    # Four changes; a size that would not do may cost one of them.
    assert _mixed_chunks(text, wordpiece) <= 1


def test_a_single_subject_and_text_without_words_are_cut_as_well(wordpiece: TokenizerCounter) -> None:
    config = ChunkingConfig(target_tokens=100, max_tokens=128, min_tokens=32, overlap_tokens=0)

    for text in ("It is. " * 900, "§ ¶. 1 2. " * 900, "文章はここ。" * 400):
        chunks = chunk_markdown(text, config=config, tokens=wordpiece)
        assert "".join(chunk.content for chunk in chunks).replace(" ", "") == text.replace(" ", "")


def test_one_limit_gives_chunks_of_one_size_whatever_the_paragraphs_are(wordpiece: TokenizerCounter) -> None:
    config = ChunkingConfig(target_tokens=156, max_tokens=200, min_tokens=39, overlap_tokens=0)
    chance = random.Random(3)
    subjects = 5 * list(_SUBJECTS)
    sentences = [f"{text}." for each in subjects for text in _sentences(each, 12, chance)[:-1].split(". ")]
    means = []
    for ends in (" ", "\n\n"):
        text = "".join(f"{sentence}{ends if index % 3 else ' '}" for index, sentence in enumerate(sentences))
        sizes = [chunk.token_count for chunk in chunk_markdown(text, config=config, tokens=wordpiece)]
        means.append(sum(sizes) / len(sizes))

    assert max(means) < 1.1 * min(means)
