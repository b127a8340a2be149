"""Hits as a person reads them in a terminal, a pipe or a file."""

from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import IO, TYPE_CHECKING

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.formatting.terminal_lines import (
    INDENT,
    SUSPICIOUS,
    excerpt_lines,
    markdown_lines,
    one_line,
    path_line,
    title,
)
from ragcrawler.retrieval.passage import Passage
from ragcrawler.stores import Hit
from ragcrawler.stores.ranking.words import words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_EXCERPT_LINES = 6
# An oversized chunk may be a whole file: more than this is not rendered to show six lines of it.
_RENDERED_CHARACTERS = 8_000


def best_window(lines: Sequence[str], query: str, height: int) -> range:
    """Numbers of at most `height` neighbouring lines with most of the query's words.

    Of neighbouring windows that are equally good it is the middle one, which has text on both sides of the
    words; but the first, if the lines begin with it.
    """
    wanted = set(words(query))
    found = [wanted.intersection(words(line)) for line in lines]
    starts = range(max(1, len(lines) - height + 1))
    scores = [len(set().union(*found[start : start + height])) for start in starts]
    first = scores.index(max(scores))
    *_, last = takewhile(lambda start: scores[start] == scores[first], starts[first:])
    start = (first + last) // 2 if first else 0
    return range(start, min(start + height, len(lines)))


def print_hits(hits: Sequence[Hit], query: str, out: IO[str]) -> None:
    """Number, title, score, section path, link and an excerpt of each hit; no heading is shown twice.

    Control characters of the pages are left out, and their markup is not obeyed.
    """
    console, wanted = _console(out), set(words(query))
    for number, hit in enumerate(hits, start=1):
        shown_above = (hit.chunk.document_title, *hit.chunk.section_path)
        lines = excerpt_lines(console, hit.chunk.content[:_RENDERED_CHARACTERS], wanted, shown_above)
        _print(console, number, [*_heading(number, hit.chunk, hit.score), *_excerpt(lines, query)])


def print_passages(passages: Sequence[Passage], query: str, out: IO[str]) -> None:
    """Number, title, score, section path and link of each passage, and the whole of it."""
    from rich.text import Text

    console, wanted = _console(out), set(words(query))
    for number, passage in enumerate(passages, start=1):
        heading = _heading(number, passage.hits[0], passage.score, suspicious=passage.suspicious)
        lines = markdown_lines(console, passage.text, wanted)
        cut = [_cut()] if passage.is_cut else []
        links = [
            Text(f"{' ' * INDENT}[{n}] {one_line(url)}", "blue")
            for n, url in enumerate(passage.links or (), 1)
        ]
        _print(console, number, [*heading, *(Text(" " * INDENT) + line for line in lines), *cut, *links])


def _console(out: IO[str]) -> "Console":
    from rich.console import Console

    return Console(file=out, highlight=False, markup=False, emoji=False)


def _print(console: "Console", number: int, lines: "Sequence[Text]") -> None:
    if number > 1:
        console.print()
    for line in lines:
        # Wrapped by the terminal if at all: a link broken in two cannot be followed.
        console.print(line, soft_wrap=True)


def _heading(
    number: int, chunk: SemanticChunk, score: float, *, suspicious: Collection[str] = ()
) -> "list[Text]":
    from rich.text import Text

    indent = " " * INDENT
    name = title(chunk.document_title) or title(chunk.source_url)
    lines = [Text(f"{number}. {name}", style="bold").append(f"  {score:.4f}", style="not bold dim")]
    path = path_line(chunk.section_path, chunk.document_title)
    kind = "" if chunk.chunk_type == "text" else f"[{one_line(chunk.chunk_type)}]"
    if path or kind:
        gap = "  " if path and kind else ""
        lines.append(Text(indent + path + gap, style="cyan").append(kind, style="dim"))
    lines.append(Text(indent + one_line(chunk.chunk_link or chunk.source_url), style="blue"))
    if chunk.extra.suspicious or suspicious:
        lines.append(Text(indent + SUSPICIOUS, style="yellow"))
    return lines


def _excerpt(lines: "Sequence[Text]", query: str) -> "list[Text]":
    from rich.text import Text

    window = best_window([line.plain for line in lines], query, _EXCERPT_LINES)
    shown = [Text(" " * INDENT) + lines[number] for number in window]
    before = [_cut()] if window.start > 0 else []
    after = [_cut()] if window.stop < len(lines) else []
    return [*before, *shown, *after]


def _cut() -> "Text":
    from rich.text import Text

    return Text(" " * INDENT + "...", style="dim")
