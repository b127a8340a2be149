"""Markdown that nobody writes by hand: no exception, no loss, and work that grows with the text alone."""

import gc
import random
import sys
from collections.abc import Callable

import pytest

from ragcrawler.chunking import ChunkingConfig, TokenCounter, TokenizerCounter, chunk_markdown
from ragcrawler.chunking.parsing.data_addresses import data_spans
from ragcrawler.chunking.parsing.heading_text import heading_text
from ragcrawler.chunking.parsing.hidden_text import visible
from ragcrawler.chunking.splitters.sentences import weak_sentence_ends
from ragcrawler.items import SemanticChunk

_SMALL, _BIG = 2_000, 10_000

# Each makes about that many characters.
_TEXTS: dict[str, Callable[[int], str]] = {
    "one line of words": lambda size: "word " * (size // 5),
    "one line of sentences": lambda size: "This is it. " * (size // 12),
    "one line of letters": lambda size: "a" * size,
    "one line of commas": lambda size: "a," * (size // 2),
    "one line of encoded data": lambda size: "".join(random.Random(1).choices("ABCabc012+/", k=size)),
    "one line of Chinese": lambda size: "漢字仮名交じり文。" * (size // 9),
    "Chinese without full stops": lambda size: "漢字" * (size // 2),
    "Thai": lambda size: "ภาษาไทย" * (size // 7),
    "Arabic": lambda size: "مرحبا بالعالم. " * (size // 15),
    "emoji": lambda size: "😀👍🏽 " * (size // 4),
    "opening brackets": lambda size: "[" * size,
    "opening links": lambda size: "[a](" * (size // 4),
    "opening tags": lambda size: "<a " * (size // 3),
    "opening emphasis": lambda size: "*a _" * (size // 4),
    "opening code": lambda size: "`a " * (size // 3),
    "links": lambda size: "[a b](http://x.y/z) " * (size // 20),
    "a long table": lambda size: "| a | b |\n|---|---|\n" + "| cell one | 12345 |\n" * (size // 21),
    "a wide table": lambda size: "|".join(
        ["", *["\n|".join(cell * (size // 12) for cell in ("a|", "-|", "b|"))]]
    ),
    "a table of one row": lambda size: (
        f"| a | b |\n|---|---|\n| {'word ' * (size // 10)}| {'word ' * (size // 10)}|\n"
    ),
    "quote marks": lambda size: "> " * (size // 2) + "x",
    "quoted lines": lambda size: "> line of text here\n" * (size // 20),
    "nested quotes": lambda size: "\n".join("> " * 500 + f"text {n}" for n in range(size // 1_500)),
    "nested lists": lambda size: "\n".join("  " * (n % 500) + "- item" for n in range(size // 506)),
    "lists on one line": lambda size: "- " * (size // 2) + "x",
    "a flat list": lambda size: "- item text here\n" * (size // 17),
    "headings": lambda size: "# h\n" * (size // 4),
    "headings of all levels": lambda size: "".join(
        f"{'#' * (1 + n % 6)} h\n\ntext\n\n" for n in range(size // 12)
    ),
    "underlined headings": lambda size: "a\n---\n" * (size // 6),
    "code": lambda size: "```py\n" + "x = 1\n" * (size // 6) + "```\n",
    "code in one line": lambda size: "```py\n" + "x=1;" * (size // 4) + "\n```\n",
    "code without an end": lambda size: "```py\n" + "x = 1\n" * (size // 6),
    "a long info string": lambda size: "```" + "py " * (size // 3) + "\nx\n```",
    "tiny paragraphs": lambda size: "ab\n\n" * (size // 4),
    "tiny lines": lambda size: "ab\n" * (size // 3),
    "markup": lambda size: "<div>\n" + "<p>hello world</p>\n" * (size // 19) + "</div>",
    "link definitions": lambda size: "".join(f'[r{n}]: http://x.y/{n} "t"\n' for n in range(size // 24)),
    "mixed line ends": lambda size: "Hello world.\r\nfoo\r\rbar\n\n" * (size // 24),
    "null characters": lambda size: "\0a " * (size // 3),
    "halves of surrogate pairs": lambda size: "\ud800 a" * (size // 3),
    "front matter without an end": lambda size: "---\n" + "a: b\n" * (size // 5),
    "formulas": lambda size: "$$\nx=1\n$$\n\n" * (size // 11),
    "full stops": lambda size: "." * size + "x",
    "stops and commas": lambda size: ".," * (size // 2) + "x",
    "spaces in a heading": lambda size: f"# a{' ' * size}{{b",
    "addresses that are data": lambda size: "data:a/b;c,d " * (size // 13),
    "data within data": lambda size: '"data:a/b,' * (size // 10),
    "lines that act as headings": lambda size: "Of this:\n\n" * (size // 10),
    "anchors": lambda size: '<a name="x"></a>\n\n' * (size // 18),
    "a table of HTML": lambda size: (
        f"<table><tr><th>a</th></tr>{'<tr><td>b c</td></tr>' * (size // 21)}</table>"
    ),
    "a table of HTML without end": lambda size: "<table>\n" + "<tr><td>b c\n" * (size // 12),
    "rows of one long cell": lambda size: (
        "| a | b | c |\n|---|---|---|\n" + f"| k | {'word ' * 200}| x |\n" * (size // 1_000)
    ),
    "one heading": lambda size: "# " + "word " * (size // 5),
}


@pytest.fixture(params=_TEXTS, ids=lambda name: name.replace(" ", "-"))
def text(request: pytest.FixtureRequest) -> Callable[[int], str]:
    return _TEXTS[request.param]


def _chunks(markdown: str, tokens: TokenCounter) -> list[SemanticChunk]:
    config = ChunkingConfig(target_tokens=100, max_tokens=100, min_tokens=25, overlap_tokens=12)
    return chunk_markdown(markdown, config=config, tokens=tokens)


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


def test_nothing_is_lost_and_nothing_is_over_the_limit(
    wordpiece: TokenizerCounter, text: Callable[[int], str]
) -> None:
    markdown = text(_SMALL)

    chunks = _chunks(markdown, wordpiece)

    assert sum(_letters(markdown[chunk.start : chunk.end]) for chunk in chunks) == _letters(markdown)
    assert max(chunk.token_count for chunk in chunks) <= 100
    assert [chunk.token_count for chunk in chunks] == wordpiece.count_batch(
        [visible(c.content) for c in chunks]
    )


def test_five_times_the_text_is_at_most_six_times_the_work(
    wordpiece: TokenizerCounter, text: Callable[[int], str]
) -> None:
    small = _calls(lambda: _chunks(text(_SMALL), wordpiece))
    big = _calls(lambda: _chunks(text(_BIG), wordpiece))

    assert big <= 6 * small


def test_a_run_that_nothing_can_break_is_cut_and_its_whole_text_is_kept(wordpiece: TokenizerCounter) -> None:
    blob = _TEXTS["one line of encoded data"](5_000)

    [chunk] = _chunks(blob, wordpiece)

    assert chunk.token_count <= 100 - 10
    assert blob.startswith(chunk.content)
    assert chunk.extra.full_text == blob
    assert chunk.extra.full_text_key == f"{chunk.chunk_id}_full_text"


@pytest.mark.parametrize("buffer", [0, 40])
def test_a_truncated_run_leaves_as_many_tokens_free_as_are_asked_for(
    wordpiece: TokenizerCounter, buffer: int
) -> None:
    config = ChunkingConfig(target_tokens=100, max_tokens=100, min_tokens=0, truncation_buffer=buffer)
    [chunk] = chunk_markdown(_TEXTS["one line of encoded data"](5_000), config=config, tokens=wordpiece)
    assert 100 - buffer - 5 <= chunk.token_count <= 100 - buffer


def test_a_long_address_is_cut_at_its_marks_and_loses_nothing(wordpiece: TokenizerCounter) -> None:
    address = "http://example.org/" + "&".join(f"name{n}=value{n}" for n in range(60))

    chunks = _chunks(address, wordpiece)

    assert "".join(chunk.content for chunk in chunks) == address
    assert all(not chunk.extra.full_text_key for chunk in chunks)


def test_a_million_characters_in_one_line_are_kept(words: TokenCounter) -> None:
    markdown = "word " * 200_000

    chunks = _chunks(markdown, words)

    assert sum(chunk.token_count for chunk in chunks) == 200_000
    assert max(chunk.token_count for chunk in chunks) <= 100


def test_ten_thousand_rows_are_kept_under_their_header(words: TokenCounter) -> None:
    rows = "".join(f"| row {n} | value {n} |\n" for n in range(10_000))

    chunks = _chunks(f"| name | value |\n|---|---|\n{rows}", words)

    assert all(chunk.content.startswith("| name | value |\n|-") for chunk in chunks)
    found = [line for chunk in chunks for line in chunk.content.splitlines() if line.startswith("| row")]
    assert found == rows.splitlines()


def test_the_garbage_collector_is_left_as_it_was(words: TokenCounter) -> None:
    assert gc.isenabled()

    with pytest.raises(ValueError, match="no strategy"):
        chunk_markdown("a", config=ChunkingConfig(strategy="none"), tokens=words)  # type: ignore[arg-type]
    _chunks("a b c", words)

    assert gc.isenabled()


@pytest.mark.parametrize("text", ["." * 1_000_000 + "x", ".,!" * 300_000 + "x", ":" + " " * 1_000_000 + "x"])
def test_a_million_marks_end_no_sentence_and_take_no_time_of_their_square(text: str) -> None:
    # By the square of its length this would take hours.
    assert weak_sentence_ends(text) == []
    assert visible(text) == text


@pytest.mark.parametrize("end", ["{b", "{b} c", "](b"])
def test_a_heading_of_a_million_spaces_takes_no_time_of_their_square(end: str) -> None:
    assert heading_text(f"a{' ' * 1_000_000}{end}") == f"a {end}"


@pytest.mark.parametrize("piece", ["data:", "data:a/", '"data:a/b,', "data:a/b;", "data:;a=", "[x](data:a/b"])
def test_a_million_beginnings_of_data_take_no_time_of_their_square(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))

    assert all(0 <= start < end <= len(text) for start, end in data_spans(text))


def _calls(work: Callable[[], object]) -> int:
    """How many calls the work makes; unlike its time, the same on every machine and at every load."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls
