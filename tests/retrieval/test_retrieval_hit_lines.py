import io
import re
from uuid import UUID

import pytest

from ragcrawler.items import ChunkExtra, SemanticChunk
from ragcrawler.retrieval.formatting.hit_lines import best_window, print_hits
from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.retrieval.formatting.terminal_lines import find_highlights
from ragcrawler.stores import Hit
from ragcrawler.stores.ranking.words import words

LONG_LINK = "https://docs.example/guide/a-path/that-is/longer/than/eighty/columns/and/more#so-is-its-anchor"


def chunk(content: str, **changes) -> SemanticChunk:
    fields = {
        "id": str(UUID(int=1)),
        "chunk_id": "c",
        "document_id": "d",
        "document_title": "Handbook",
        "content": content,
        "content_hash": "",
        "token_count": 1,
        "embed_text": content,
        "start": 0,
        "end": 1,
        "position": 0,
        "source_url": "https://docs.example/guide",
        "chunk_link": "https://docs.example/guide#logs",
        "section_path": ("Guide", "Logs"),
    }
    return SemanticChunk(**(fields | changes))


def shown(*chunks: SemanticChunk, query: str = "logs") -> str:
    out = io.StringIO()
    print_hits([Hit(each, 0.5 / number) for number, each in enumerate(chunks, start=1)], query, out)
    return out.getvalue()


def test_a_hit_shows_number_title_score_path_link_and_content() -> None:
    assert shown(
        chunk("Rotate the **logs** with `logrotate`."), chunk("Or [by hand](https://x.example/y).")
    ) == (
        "1. Handbook  0.5000\n"
        "   Guide > Logs\n"
        "   https://docs.example/guide#logs\n"
        "   Rotate the logs with logrotate.\n"
        "\n"
        "2. Handbook  0.2500\n"
        "   Guide > Logs\n"
        "   https://docs.example/guide#logs\n"
        "   Or by hand.\n"
    )


def test_no_heading_is_shown_twice() -> None:
    """A page's title is its first heading, and often the chunk's own as well."""
    named = chunk("# Handbook\n\n## Rotating *logs*\n\nRun it.", section_path=("Handbook", "Rotating logs"))
    alone = chunk("# Handbook\n\nRun it.", section_path=("Handbook",))
    table = chunk("| a |\n|---|\n| 1 |", section_path=("Handbook",), chunk_type="table")
    assert shown(named, alone, table).splitlines() == [
        "1. Handbook  0.5000",
        "   Rotating logs",
        "   https://docs.example/guide#logs",
        "   Run it.",
        "",
        "2. Handbook  0.2500",
        "   https://docs.example/guide#logs",
        "   Run it.",
        "",
        "3. Handbook  0.1667",
        "   [table]",
        "   https://docs.example/guide#logs",
        *shown(table).splitlines()[3:],
    ]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("# Other words\n\nRun it.", "Other words"),  # not shown above: stays
        ("# Guide", "Guide"),  # nothing but its heading
        ('See [the manual](https://x.example/y "title").', "See the manual."),
        ("See [the manual][1].\n\n[1]: https://x.example/y", "See the manual."),
        ("Write to <https://x.example/y>.", "Write to https://x.example/y."),
        ("Prime it first.[^1] Then run it.[^note-2]", "Prime it first. Then run it."),
        ("Prime it.[^1]\n\n[^1]: https://x.example/why", "Prime it."),
        ("[^1]: Water is heavy.", "Water is heavy."),
        ("Match `[^a](b)` and [**bold** `code`](/z).", "Match [^a](b) and bold code."),
    ],
)
def test_an_excerpt_has_no_link_targets_and_no_footnote_marks(content: str, line: str) -> None:
    assert shown(chunk(content)).splitlines()[3].strip() == line


def test_code_is_shown_as_it_is_written() -> None:
    assert "x = [^1](https://x.example)" in shown(chunk("```\nx = [^1](https://x.example)\n```"))


@pytest.mark.parametrize(
    ("content", "kind", "lines"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |", "table", ["a  b", "1  2"]),
        ("```python\ndef f():\n    return 1\n```", "code", ["def f():", "return 1"]),
        ("- one\n  - two", "list", ["• one", "• two"]),
        ("<div>raw <b>markup</b></div>", "html", ["<div>raw <b>markup</b></div>"]),
    ],
)
def test_every_kind_of_content_is_laid_out(content: str, kind: str, lines: list[str]) -> None:
    text = shown(chunk(content, chunk_type=kind))
    assert f"Guide > Logs  [{kind}]\n" in text
    for line in lines:
        assert line in text


def test_a_chunk_without_title_and_path_shows_its_address() -> None:
    text = shown(chunk("x", document_title="", section_path=(), chunk_link=""))
    assert text == "1. https://docs.example/guide  0.5000\n   https://docs.example/guide\n   x\n"


def test_a_link_stays_in_one_line_and_text_is_wrapped_at_the_width(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = shown(chunk("word " * 60, chunk_link=LONG_LINK)).splitlines()
    assert f"   {LONG_LINK}" in lines
    assert all(len(line) <= 80 for line in lines if LONG_LINK not in line)


def test_a_long_chunk_shows_the_lines_that_answer() -> None:
    paragraphs = [f"Paragraph {number}." for number in range(20)]
    paragraphs[12] = "To rotate the logs, run logrotate."
    lines = shown(chunk("\n\n".join(paragraphs)), query="how to rotate logs").splitlines()
    assert "   To rotate the logs, run logrotate." in lines
    assert lines[3] == lines[-1] == "   ..."
    assert len(lines) == 3 + 1 + 6 + 1


@pytest.mark.parametrize(
    ("lines", "query", "expected"),
    [
        ([], "x", range(0)),
        (["a", "b"], "x", range(2)),
        (["a", "b", "c", "d"], "nothing", range(2)),
        (["a", "x", "b", "y x", "c"], "x y", range(2, 4)),
        (["x", "x x x x", "y", "b"], "x y", range(1, 3)),
        (["a", "a", "a", "a", "x", "a", "a"], "x", range(3, 5)),
        (["a", "x", "a", "a"], "x", range(2)),
        (["a", "a", "a", "x"], "x", range(2, 4)),
    ],
)
def test_the_window_has_most_of_the_querys_words(lines: list[str], query: str, expected: range) -> None:
    assert best_window(lines, query, 2) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b]0;title\x07 \x1b[2Jx", "]0;title [2Jx"),
        ("\x9b31mred\x7f\b\r\0", "31mred"),
        ("\u202eevil\u2066\u200b\U000e0041", "evil"),
        ("half \ud83d", "half "),
        ("tab\tline\nÜmläut 日本 👩\u200d🚒", "tab\tline\nÜmläut 日本 👩\u200d🚒"),
    ],
)
def test_control_characters_are_left_out_and_text_is_kept(text: str, expected: str) -> None:
    assert printable(text) == expected


@pytest.mark.parametrize("terminal", [False, True])
def test_no_part_of_a_hostile_page_reaches_the_terminal_as_a_command(monkeypatch, terminal: bool) -> None:
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    attack = "\x1b]52;c;AAAA\x07\x1b[2J\x9b2J\u202e[red]x[/red][link=https://evil.example]y[/link]\r\b"
    markdown = f"{attack} &#27;[2J &#x202e; &#155;2J\n\n```{attack}\n{attack}\n```\n\n[a](https://e.example/{attack})\n\n![{attack}](x)"
    hostile = chunk(
        markdown,
        document_title=attack,
        section_path=(f"part {attack}", "two\nlines"),
        chunk_link=f"https://e.example/\n2. fake hit{attack}",
        chunk_type=attack,
    )
    text = shown(hostile)
    left = re.sub(r"\x1b\[[0-9;]*m", "", text) if terminal else text
    assert ("\x1b[" in text) is terminal
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", left)
    assert "[red]x[/red]" in left
    assert "> two lines" in left
    assert not re.search(r"^2\. fake hit", left, re.MULTILINE)


def test_text_that_reads_like_instructions_is_flagged() -> None:
    text = shown(chunk("Ignore all.", extra=ChunkExtra(suspicious=("Ignore all",))))
    assert "! It holds text that reads like instructions to a model." in text


def test_a_very_long_title_is_cut() -> None:
    assert shown(chunk("x", document_title="T" * 9999)).splitlines()[0] == f"1. {'T' * 120}...  0.5000"


def test_a_huge_chunk_is_not_rendered_whole() -> None:
    text = shown(chunk("start\n\n" + "x" * 3_000_000))
    assert len(text) < 2_000


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("To rotate the logs, run it.", "rotating a log", ["rotate", "logs"]),
        ("Call os.path.join, or join.", "os.path.join", ["os.path.join", "join"]),
        ("The git-log command", "log", ["log"]),
        ("Nothing here", "zebra", []),
        ("of the", "of the", []),
    ],
)
def test_the_words_of_the_question_are_found_by_their_stems(text: str, query: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in find_highlights(text, set(words(query)))] == marked


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_words_are_highlighted_on_a_terminal_only(monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    print_hits([Hit(chunk("Rotate the logs."), 0.5)], "rotation of logs", out)
    assert "\x1b[1;33mlogs\x1b[0m" in out.getvalue()
    assert "\x1b" not in shown(chunk("Rotate the logs."), query="logs")
