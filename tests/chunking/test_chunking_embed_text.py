"""What is embedded: never more than the model takes, and the content always."""

from dataclasses import replace
from pathlib import Path

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenizerCounter, chunk_markdown
from ragcrawler.chunking.parsing.hidden_text import visible

_CONFIG = ChunkingConfig(target_tokens=20, max_tokens=20, min_tokens=0, overlap_tokens=10)
_DEEP = "# one outermost\n\n## two inner\n\n### three innermost\n\n" + "word " * 15 + "\n\n" + "more " * 18


def _embedded(tokenizer_file: Path, limit: int, markdown: str, config: ChunkingConfig = _CONFIG) -> list[str]:
    counter = TokenizerCounter(tokenizer_file, limit_tokens=limit + 2)
    chunks = chunk_markdown(markdown, config=config, tokens=counter)
    assert all(counter.count(chunk.embed_text) <= limit for chunk in chunks)
    assert all(chunk.content in chunk.embed_text for chunk in chunks)
    return [chunk.embed_text for chunk in chunks]


@pytest.mark.parametrize(
    ("limit", "path"),
    [
        (40, "one outermost > two inner > three innermost\n\n"),
        (25, "two inner > three innermost\n\n"),
        (22, "three innermost\n\n"),
        (19, ""),
    ],
)
def test_the_path_is_shortened_from_its_front(tokenizer_file: Path, limit: int, path: str) -> None:
    embedded = _embedded(tokenizer_file, limit, _DEEP, replace(_CONFIG, target_tokens=18, max_tokens=18))[-1]

    assert embedded == path + " ".join(["more"] * 18)


@pytest.mark.parametrize(
    ("markdown", "read"),
    [
        ("see [git-log(1)](https://h.example/a_(b).html) too", "see git-log(1) too"),
        ('[two](/a.html "A title") and [three](#c)', "two and three"),
        ("![a drawing](./drawing.png) and ![a photo](<../a photo.png>)", "a drawing and a photo"),
        ("[![logo](https://h.example/logo.svg)](https://h.example/)", "logo"),
        (r"[list[int]](https://h.example/) and [a \] b](../b)", r"list[int] and a \] b"),
        ("[mail us](mailto:a@h.example)", "mail us"),
        (
            "`handlers[0](event)` and [x](y z) and [open](https://",
            "`handlers[0](event)` and [x](y z) and [open](https://",
        ),
        (r"\[no link](https://h.example/)", r"\[no link](https://h.example/)"),
        ("https://h.example/ and <https://h.example/b>", "https://h.example/ and <https://h.example/b>"),
    ],
)
def test_links_and_pictures_are_embedded_by_their_labels(markdown: str, read: str) -> None:
    assert visible(markdown) == read


def test_addresses_are_in_the_content_and_not_in_what_is_embedded(tokenizer_file: Path) -> None:
    markdown = "# Kites\n\nThey [fly](https://h.example/fly) in the wind.\n\n" + "word " * 30
    counter = TokenizerCounter(tokenizer_file, limit_tokens=62)

    config = replace(_CONFIG, target_tokens=40, max_tokens=40)
    chunks = chunk_markdown(markdown, config=config, tokens=counter)

    assert "".join(chunk.content for chunk in chunks).count("https://h.example/fly") == 1
    assert [chunk.embed_text.startswith("# Kites\n\nThey fly in the wind.\n\nword") for chunk in chunks] == [
        True
    ]


def test_a_heading_in_the_content_is_not_said_twice(tokenizer_file: Path) -> None:
    [embedded] = _embedded(tokenizer_file, 60, "# Alpha\n\n## Beta\n\nwords of it")

    assert embedded == "# Alpha\n\n## Beta\n\nwords of it"


def test_a_chunk_that_goes_on_with_a_paragraph_is_embedded_with_its_first_sentence(
    tokenizer_file: Path,
) -> None:
    paragraph = "Kites fly in the wind. " + "They need a string and a tail and a frame. " * 3

    embedded = _embedded(tokenizer_file, 60, f"# Toys\n\n{paragraph}")

    assert embedded[0].startswith("# Toys\n\nKites fly")
    assert all(text.startswith("Toys\n\nKites fly in the wind.\n\nThey need") for text in embedded[1:])


def test_a_further_part_of_a_list_is_embedded_with_its_lead_in(tokenizer_file: Path) -> None:
    items = "".join(f"- item {n} with some words\n" for n in range(8))

    embedded = _embedded(tokenizer_file, 60, f"You need these things:\n\n{items}")

    assert len(embedded) > 2
    assert all(text.startswith("You need these things:\n\n- item") for text in embedded[1:])


def test_the_first_sentence_of_a_long_text_does_not_stand_for_all_of_it(tokenizer_file: Path) -> None:
    paragraphs = "\n\n".join(f"Paragraph {n} has a few words of its own to say here." for n in range(60))

    embedded = _embedded(tokenizer_file, 60, paragraphs)

    assert len(embedded) > 12
    assert not any("Paragraph 0 " in text for text in embedded[1:])
