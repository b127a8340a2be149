"""Ids, hashes, links: what a chunk is known by."""

from dataclasses import replace
from uuid import UUID

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenCounter, chunk_markdown
from ragcrawler.items import Anchor, SemanticChunk
from ragcrawler.items.records import extra_from_record, extra_record

_CONFIG = ChunkingConfig(target_tokens=12, max_tokens=12, min_tokens=0, overlap_tokens=0, model="m")
_TEXT = (
    "# A\n\none two three four five six\n\n## B\n\nseven eight nine ten\n\n# C\n\nthe end of it all is here\n"
)


def _chunks(markdown: str, words: TokenCounter, **named: str) -> list[SemanticChunk]:
    return chunk_markdown(
        markdown, config=_CONFIG, tokens=words, document_id=named.pop("document_id", "d"), **named
    )


def test_an_id_is_a_uuid_and_the_same_in_every_run(words: TokenCounter) -> None:
    first, second = _chunks(_TEXT, words), _chunks(_TEXT, words)

    assert [chunk.id for chunk in first] == [chunk.id for chunk in second]
    assert all(str(UUID(chunk.id)) == chunk.id for chunk in first)


def test_an_edit_changes_only_the_ids_of_what_it_touches(words: TokenCounter) -> None:
    before = [chunk.id for chunk in _chunks(_TEXT, words)]
    after = [chunk.id for chunk in _chunks(_TEXT.replace("nine", "NINE"), words)]

    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True]


def test_the_same_content_twice_has_two_ids(words: TokenCounter) -> None:
    chunks = _chunks("# A\n\none two\n\n# A\n\none two\n", words)

    assert chunks[0].content == chunks[1].content
    assert chunks[0].id != chunks[1].id


def test_another_document_has_other_ids(words: TokenCounter) -> None:
    mine, yours = _chunks(_TEXT, words), _chunks(_TEXT, words, document_id="e")

    assert {chunk.id for chunk in mine}.isdisjoint(chunk.id for chunk in yours)
    assert [chunk.content_hash for chunk in mine] == [chunk.content_hash for chunk in yours]


def test_another_model_or_heading_wants_another_vector(words: TokenCounter) -> None:
    [chunk] = chunk_markdown("one two", config=_CONFIG, tokens=words, title="T")
    [other_model] = chunk_markdown("one two", config=replace(_CONFIG, model="n"), tokens=words, title="T")
    [other_title] = chunk_markdown("one two", config=_CONFIG, tokens=words, title="U")

    assert len({chunk.embed_hash, other_model.embed_hash, other_title.embed_hash}) == 3
    assert chunk.content_hash == other_model.content_hash == other_title.content_hash


def test_a_chunk_id_can_be_read(words: TokenCounter) -> None:
    chunks = _chunks(f"intro words\n\n{_TEXT}", words, document_id="Doc 5")

    assert [chunk.chunk_id for chunk in chunks] == [
        "doc_5_h0_0_chunk_0",
        "doc_5_h1_1_chunk_1",
        "doc_5_h2_1_chunk_2",
        "doc_5_h1_2_chunk_3",
    ]


def test_a_link_leads_to_the_last_anchor_at_or_before_the_chunk(words: TokenCounter) -> None:
    anchors = [Anchor(0, "a"), Anchor(4, "b ü")]

    chunks = chunk_markdown(
        f"{_TEXT}", config=_CONFIG, tokens=words, url="https://x.org/p?q=1#old", anchors=anchors
    )

    assert [chunk.chunk_link for chunk in chunks] == [
        "https://x.org/p?q=1#a",
        "https://x.org/p?q=1#b%20%C3%BC",
        "https://x.org/p?q=1#b%20%C3%BC",
    ]


@pytest.mark.parametrize("anchors", [[], [Anchor(99, "late")]])
def test_without_an_anchor_before_it_the_link_is_the_address(
    words: TokenCounter, anchors: list[Anchor]
) -> None:
    chunks = chunk_markdown(_TEXT, config=_CONFIG, tokens=words, url="https://x.org/p", anchors=anchors)

    assert {chunk.chunk_link for chunk in chunks} == {"https://x.org/p"}


@pytest.mark.parametrize(
    ("url", "chapter"),
    [
        ("https://x.org/guide/start.html", "guide"),
        ("https://x.org/guide/deep/start.html", "guide"),
        ("https://x.org/guide/", "guide"),
        ("https://x.org/start.html", ""),
        ("https://x.org", ""),
        ("module-1/intro.md", "module-1"),
        ("docs/module-1/intro.md", "module-1"),
        ("", ""),
    ],
)
def test_the_chapter_is_the_first_segment_or_the_folder(words: TokenCounter, url: str, chapter: str) -> None:
    assert _chunks("one two", words, url=url)[0].chapter == chapter


def test_the_section_title_is_the_nearest_h2(words: TokenCounter) -> None:
    markdown = (
        "# A\n\none two three four five\n\n## B\n\none two three four\n\n### C\n\nsix seven eight nine ten\n"
    )

    chunks = _chunks(markdown, words)

    assert [chunk.section_title for chunk in chunks] == ["", "B", "B"]
    assert [chunk.parent_section for chunk in chunks] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("markdown", "title", "headers", "headings"),
    [
        (
            "# A\n\nA line.\n\n## B\n\nMost of the text stands under this one.\n",
            "B",
            {"Header 1": "A", "Header 2": "B"},
            ("A", "B"),
        ),
        (
            "# A\n\nMost of the text stands before the section.\n\n## B\n\nA line.\n",
            "",
            {"Header 1": "A"},
            ("A", "B"),
        ),
        ("A line.\n\n## B\n\nMost of it is here.\n", "B", {"Header 1": "B"}, ("B",)),
        (
            "## B\n\nA line.\n\n## C\n\nMost of it is here.\n\n### D\n\nNo.\n",
            "C",
            {"Header 1": "C"},
            ("B", "C", "D"),
        ),
        ("## B\n\none line\n\n## C\n\nanother\n", "B", {"Header 1": "B"}, ("B", "C")),
        ("# A\n\n## B\n\nOne text, one section.\n", "B", {"Header 1": "A", "Header 2": "B"}, ()),
    ],
)
def test_a_chunk_is_named_by_the_section_of_most_of_its_text_and_lists_its_headings(
    words: TokenCounter, markdown: str, title: str, headers: dict[str, str], headings: tuple[str, ...]
) -> None:
    config = ChunkingConfig(target_tokens=60, max_tokens=60, min_tokens=50)
    [chunk] = chunk_markdown(markdown, config=config, tokens=words)

    assert chunk.section_title == title
    assert dict(chunk.headers) == headers
    assert chunk.extra.headings == headings
    assert extra_from_record(extra_record(chunk.extra)) == chunk.extra
