"""What holds for every document: nothing lost, nothing over, nothing cut that fits; whatever the Markdown."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ragcrawler.chunking import ChunkingConfig, TokenizerCounter, chunk_markdown
from ragcrawler.chunking.parsing.hidden_text import visible
from ragcrawler.items import SemanticChunk

_READER = MarkdownIt("commonmark").enable("table")
_PROPERTY = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

# Words that tell where they come from: no two are alike, so that a cut unit can be looked for.
_word = st.integers(0, 99_999).map(lambda number: f"w{number}")
_sentence = st.lists(_word, min_size=1, max_size=14).map(lambda words: "Then " + " ".join(words) + ".")
_paragraph = st.lists(_sentence, min_size=1, max_size=6).map(" ".join)
_link = st.tuples(_word, _word, _word).map(
    lambda words: f"See [{words[0]} {words[1]}](http://a.org/{words[2]}) now."
)
_links = st.lists(st.tuples(_word, _word, _word), min_size=4, max_size=16).map(
    lambda links: " ".join(f"[{a}, {b}](http://a.org/{c})" for a, b, c in links)
)
_heading = st.tuples(st.integers(1, 6), _word, _word).map(
    lambda parts: f"{'#' * parts[0]} {parts[1]} {parts[2]}"
)
_setext = st.tuples(_word, st.sampled_from("=-")).map(lambda parts: f"{parts[0]}\n{parts[1] * 4}")
_code_line = st.tuples(st.sampled_from(["", "    ", "\t"]), _word, _word).map(
    lambda p: f"{p[0]}{p[1]} = {p[2]}"
)
_code = st.tuples(
    st.sampled_from(["```", "~~~", "````"]),
    st.sampled_from(["python", "sh", ""]),
    st.lists(st.one_of(_code_line, st.just("")), min_size=1, max_size=12),
).map(lambda parts: "\n".join([f"{parts[0]}{parts[1]}", *parts[2], parts[0]]))
_row = st.tuples(_word, _word, _word).map(lambda words: f"| {' | '.join(words)} |")
_table = st.tuples(_row, st.lists(_row, min_size=0, max_size=9)).map(
    lambda parts: "\n".join([parts[0], "|---|:-:|---|", *parts[1]])
)
_item = st.one_of(_sentence, st.tuples(_sentence, _code).map(lambda p: f"{p[0]}\n\n{p[1]}"), _link)


def _as_list(items: Sequence[str], marker: str) -> str:
    indent = " " * (len(marker) + 1)
    return "\n".join(f"{marker} " + item.replace("\n", f"\n{indent}") for item in items)


_list = st.tuples(st.lists(_item, min_size=1, max_size=6), st.sampled_from(["-", "*", "1."])).map(
    lambda parts: _as_list(parts[0], parts[1])
)
_nested = st.tuples(_sentence, _list).map(lambda parts: _as_list([f"{parts[0]}\n{parts[1]}"], "-"))
_quote = st.one_of(_paragraph, _list, _code).map(
    lambda text: "\n".join(f"> {line}" for line in text.split("\n"))
)
_html = _word.map(lambda word: f"<div>\n<p>{word}</p>\n</div>")
_image = st.tuples(_word, _word).map(lambda words: f"![{words[0]}]({words[1]}.png)")
_block = st.one_of(
    _heading,
    _heading,
    _setext,
    _paragraph,
    _paragraph,
    _link,
    _links,
    _code,
    _table,
    _list,
    _nested,
    _quote,
    _html,
    _image,
)
_document = st.tuples(st.lists(_block, min_size=1, max_size=14), st.sampled_from(["\n", "\n", "\r\n"])).map(
    lambda parts: "\n\n".join(parts[0]).replace("\n", parts[1])
)
_limit = st.sampled_from([40, 64, 128, 300])


def _chunks(markdown: str, limit: int, tokens: TokenizerCounter) -> list[SemanticChunk]:
    config = ChunkingConfig(target_tokens=limit, max_tokens=limit, min_tokens=limit // 4, overlap_tokens=10)
    return chunk_markdown(markdown, config=config, tokens=tokens, document_id="d", title="T")


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


@_PROPERTY
@given(_document, _limit)
def test_every_letter_is_in_the_span_and_the_content_of_a_chunk(
    wordpiece: TokenizerCounter, markdown: str, limit: int
) -> None:
    chunks = _chunks(markdown, limit, wordpiece)

    assert "".join(_letters(markdown[chunk.start : chunk.end]) for chunk in chunks) == _letters(markdown)
    for chunk in chunks:
        # The spans of a table's parts follow the source; cut by cells, a column's header goes with its cells.
        table = chunk.extra.table_id
        parts = [other.content for other in chunks if table and other.extra.table_id == table]
        held = set(re.findall(r"w\d+", "\n".join([chunk.content, *parts])))
        assert set(re.findall(r"w\d+", markdown[chunk.start : chunk.end])) <= held


@_PROPERTY
@given(_document, _limit)
def test_no_content_is_over_the_limit_and_every_count_is_the_tokenizers(
    wordpiece: TokenizerCounter, markdown: str, limit: int
) -> None:
    chunks = _chunks(markdown, limit, wordpiece)

    assert [chunk.token_count for chunk in chunks] == wordpiece.count_batch(
        [visible(c.content) for c in chunks]
    )
    assert all(chunk.token_count <= limit for chunk in chunks)
    assert all(wordpiece.count(chunk.embed_text) <= wordpiece.limit for chunk in chunks)


@_PROPERTY
@given(_document, _limit)
def test_what_is_not_repeated_stands_as_in_the_document(
    wordpiece: TokenizerCounter, markdown: str, limit: int
) -> None:
    for chunk in _chunks(markdown, limit, wordpiece):
        if not chunk.extra.table_id and not set(chunk.content) & set("`~>") and "- " not in chunk.content:
            spaces = re.compile(r"\s+")
            assert spaces.sub(" ", chunk.content) == spaces.sub(" ", markdown[chunk.start : chunk.end])


@_PROPERTY
@given(_document, _limit)
def test_sentences_links_rows_and_code_that_fit_are_never_cut(
    wordpiece: TokenizerCounter, markdown: str, limit: int
) -> None:
    contents = [re.sub(r"[\s>]+", " ", chunk.content) for chunk in _chunks(markdown, limit, wordpiece)]

    units = re.findall(r"Then [^.`]*\.|\[[^\]]*\]\([^)]*\)|^\| w.* \|$", markdown, re.MULTILINE)
    for unit in units:
        flat = re.sub(r"[\s>]+", " ", unit.strip())
        # A row needs its header beside it.
        room = 0.3 if unit.startswith("|") else 0.8
        if wordpiece.count(unit) <= limit * room:
            assert any(flat in content for content in contents), unit


@_PROPERTY
@given(_document, _limit)
def test_code_is_read_as_code_in_every_chunk(wordpiece: TokenizerCounter, markdown: str, limit: int) -> None:
    code = {
        line.strip()
        for token in _READER.parse(markdown)
        if token.type in ("fence", "code_block")
        for line in token.content.splitlines()
        if line.strip()
    }

    for chunk in _chunks(markdown, limit, wordpiece):
        read = "".join(
            token.content for token in _READER.parse(chunk.content) if token.type in ("fence", "code_block")
        )
        for line in chunk.content.splitlines():
            if line.strip(" \t>") in code:
                assert line.strip(" \t>") in read


@_PROPERTY
@given(_document, _limit)
def test_every_part_of_a_table_has_a_header(wordpiece: TokenizerCounter, markdown: str, limit: int) -> None:
    for chunk in _chunks(markdown, limit, wordpiece):
        rows = [line for line in chunk.content.splitlines() if line.startswith("| w")]
        if rows:
            assert any(token.type == "table_open" for token in _READER.parse(chunk.content)), chunk.content


@_PROPERTY
@given(_document, _limit)
def test_a_second_run_gives_the_same_and_the_chain_is_whole(
    wordpiece: TokenizerCounter, markdown: str, limit: int
) -> None:
    chunks = _chunks(markdown, limit, wordpiece)

    assert chunks == _chunks(markdown, limit, wordpiece)
    ids = [chunk.id for chunk in chunks]
    assert len(set(ids)) == len(ids)
    assert [chunk.prev_chunk_id for chunk in chunks] == ["", *ids[:-1]][: len(ids)]
    assert [chunk.next_chunk_id for chunk in chunks] == [*ids[1:], ""][: len(ids)]
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    spans = [(chunk.start, chunk.end) for chunk in chunks]
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@_PROPERTY
@given(_document, _limit)
def test_the_path_leads_to_the_first_text_of_the_chunk(
    wordpiece: TokenizerCounter, markdown: str, limit: int
) -> None:
    headings = _headings(markdown)
    heading_lines = {line for first, behind, _, _ in headings for line in range(first, behind)}
    lines = markdown.replace("\r\n", "\n").split("\n")

    for chunk in _chunks(markdown, limit, wordpiece):
        first, last = markdown[: chunk.start].count("\n"), markdown[: chunk.end].count("\n")
        texts = [n for n in range(first, last + 1) if n not in heading_lines and _letters(lines[n])]
        path = _path_at(headings, texts[0] if texts else first)
        assert chunk.section_path == path[: len(chunk.section_path)]


def _headings(markdown: str) -> list[tuple[int, int, int, str]]:
    """First line, line behind, level and text of each heading."""
    tokens = _READER.parse(markdown)
    return [
        (token.map[0], token.map[1], int(token.tag[1]), tokens[index + 1].content)
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def _path_at(headings: list[tuple[int, int, int, str]], line: int) -> tuple[str, ...]:
    path: list[tuple[int, str]] = []
    for first, _, level, text in headings:
        if first <= line:
            path = [*(entry for entry in path if entry[0] < level), (level, text)]
    return tuple(text for _, text in path)


@_PROPERTY
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=400))
def test_any_text_at_all_is_kept(wordpiece: TokenizerCounter, text: str) -> None:
    chunks = _chunks(text, 64, wordpiece)

    kept = "".join(_letters(text[chunk.start : chunk.end]) for chunk in chunks)
    if not text.startswith("---"):
        assert kept == _letters(text)
    assert all(chunk.token_count <= 64 for chunk in chunks)


@_PROPERTY
@given(st.text(alphabet="#>-*+`~|:[]()!<> \t\n1a.$\\_", max_size=300), _limit)
def test_any_heap_of_marks_is_kept(wordpiece: TokenizerCounter, text: str, limit: int) -> None:
    chunks = _chunks(text, limit, wordpiece)

    assert "".join(_letters(text[chunk.start : chunk.end]) for chunk in chunks) == _letters(text)
    assert all(chunk.token_count <= limit for chunk in chunks)


@pytest.mark.parametrize("strategy", ["structure", "size", "sentences", "sections", "h2_characters"])
@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(markdown=_document)
def test_no_strategy_loses_a_letter(wordpiece: TokenizerCounter, strategy: str, markdown: str) -> None:
    config = ChunkingConfig(target_tokens=100, max_tokens=120, strategy=strategy)  # type: ignore[arg-type]

    chunks = chunk_markdown(markdown, config=config, tokens=wordpiece)

    assert "".join(_letters(markdown[chunk.start : chunk.end]) for chunk in chunks) == _letters(markdown)
    assert all(chunk.token_count <= 120 for chunk in chunks)
