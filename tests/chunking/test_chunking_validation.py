"""The report of what chunking did to a document."""

from dataclasses import replace

from ragcrawler.chunking import ChunkingConfig, TokenCounter, chunk_markdown, validate

_CONFIG = ChunkingConfig(target_tokens=12, max_tokens=12, min_tokens=3, overlap_tokens=0)
_TEXT = (
    "# A\n\none two three four five six\n\n## B\n\n```sh\nmake it\n```\n\n# C\n\nthe end of it all is here\n"
)


def test_a_whole_document_is_found_whole(words: TokenCounter) -> None:
    chunks = chunk_markdown(_TEXT, config=_CONFIG, tokens=words)

    report = validate(_TEXT, chunks, _CONFIG)

    assert report.is_lossless
    assert report.lost_headings == ()
    assert report.headings == {1: 2, 2: 1}
    assert (report.chunks, report.chunks_with_code) == (3, 1)
    assert report.tokens_total == sum(chunk.token_count for chunk in chunks)
    assert (report.tokens_min, report.tokens_max) == (6, 9)
    assert report.tokens_average == report.tokens_total / 3
    assert (report.over_limit, report.under_minimum) == ((), ())


def test_what_is_missing_is_named(words: TokenCounter) -> None:
    chunks = chunk_markdown(_TEXT, config=_CONFIG, tokens=words)

    report = validate(_TEXT, chunks[:1], _CONFIG)

    assert not report.is_lossless
    assert report.lost_headings == ("B", "C")
    assert report.covered_characters < report.characters


def test_chunks_outside_the_range_are_named(words: TokenCounter) -> None:
    chunks = chunk_markdown(_TEXT, config=_CONFIG, tokens=words)

    report = validate(_TEXT, chunks, replace(_CONFIG, max_tokens=8, min_tokens=7))

    assert report.over_limit == (2,)
    assert report.under_minimum == (1,)


def test_front_matter_is_not_missed(words: TokenCounter) -> None:
    markdown = f"---\ntitle: T\n---\n\n{_TEXT}"

    assert validate(markdown, chunk_markdown(markdown, config=_CONFIG, tokens=words), _CONFIG).is_lossless


def test_the_summary_says_it_in_lines(words: TokenCounter) -> None:
    summary = validate(_TEXT, chunk_markdown(_TEXT, config=_CONFIG, tokens=words), _CONFIG).summary("page.md")

    assert summary.splitlines()[0] == "page.md: 3 chunks, 23 tokens"
    assert "headings: H1 2, H2 1; lost: none" in summary


def test_an_empty_document_has_no_chunks_and_lacks_nothing(words: TokenCounter) -> None:
    chunks = chunk_markdown(" \n\n", config=_CONFIG, tokens=words)

    assert chunks == []
    assert validate(" \n\n", chunks, _CONFIG).is_lossless


def test_a_validation_after_another_documents_chunks_reads_its_own(wordpiece: TokenCounter) -> None:
    config = ChunkingConfig()
    first, second = "# One\n\nWater it.\n", "# Two\n\n## Three\n\nFeed it.\n"
    chunks = chunk_markdown(first, config=config, tokens=wordpiece)
    at_once = validate(first, chunks, config)
    chunk_markdown(second, config=config, tokens=wordpiece)
    assert validate(first, chunks, config) == at_once
    assert at_once.headings == {1: 1}
