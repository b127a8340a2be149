"""Escaped text is read back by a Markdown parser as the text it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ragcrawler.conversion.escaping import escape_block_start, escape_cell, escape_inline, fence

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shown(markdown: str) -> str:
    """The text of the one paragraph that a parser sees, "?" where it sees something else."""
    tokens = PARSER.parse(markdown)
    if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
        return "?"
    children = tokens[1].children or []
    plain = all(child.type in {"text", "text_special"} for child in children)
    return "".join(child.content for child in children) if plain else "?"


@given(st.text(alphabet="ab 1_*`~<>[]()!&;#-+.\\|/:", min_size=1, max_size=30).map(str.strip).filter(bool))
@settings(max_examples=600, derandomize=True)
def test_any_line_is_read_back_as_it_was(text: str) -> None:
    assert shown(escape_block_start(escape_inline(text))) == text


@pytest.mark.parametrize(
    "text", ["snake_case_name", "2 * 3 * 4", "a < b > c", "x[0] = y", "AT&T", "50 - 60", "C:\\dir"]
)
def test_what_markdown_does_not_read_is_left_as_it_is(text: str) -> None:
    assert escape_block_start(escape_inline(text)) == text


def test_a_cell_is_one_line_and_its_bars_are_escaped() -> None:
    assert escape_cell("a |\n b") == "a \\| b"


def test_a_fence_is_longer_than_what_it_holds() -> None:
    assert fence("```\nx\n```", "md") == "````md\n```\nx\n```\n````"
