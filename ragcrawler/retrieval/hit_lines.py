"""Hits as a person reads them in a terminal, a pipe or a file."""

from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.excerpt import best_window
from ragcrawler.retrieval.printable import printable
from ragcrawler.stores import Hit

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_EXCERPT_LINES = 6
_INDENT = 3
_TITLE_CHARACTERS = 120
_LEAST_WIDTH = 20
_CODE_THEME = "ansi_dark"
# An oversized chunk may be a whole file: more than this is not rendered to show six lines of it.
_RENDERED_CHARACTERS = 8_000


def print_hits(hits: Sequence[Hit], query: str, out: IO[str]) -> None:
    """Number, title, score, section path, link and an excerpt of each hit.

    Control characters of the pages are left out, and their markup is not obeyed.
    """
    from rich.console import Console

    console = Console(file=out, highlight=False, markup=False, emoji=False)
    for number, hit in enumerate(hits, start=1):
        if number > 1:
            console.print()
        for line in (*_heading(number, hit), *_excerpt(console, hit.chunk, query)):
            # Wrapped by the terminal if at all: a link broken in two cannot be followed.
            console.print(line, soft_wrap=True)


def _heading(number: int, hit: Hit) -> "list[Text]":
    from rich.text import Text

    chunk, indent = hit.chunk, " " * _INDENT
    title = _title(chunk.document_title) or _title(chunk.source_url)
    lines = [Text(f"{number}. {title}", style="bold").append(f"  {hit.score:.4f}", style="not bold dim")]
    path = " > ".join(map(_title, chunk.section_path))
    kind = "" if chunk.chunk_type == "text" else f"  [{_one_line(chunk.chunk_type)}]"
    if path or kind:
        lines.append(Text(indent + path, style="cyan").append(kind, style="dim"))
    lines.append(Text(indent + _one_line(chunk.chunk_link or chunk.source_url), style="blue"))
    if chunk.extra.suspicious:
        lines.append(
            Text(f"{indent}! It holds text that reads like instructions to a model.", style="yellow")
        )
    return lines


def _excerpt(console: "Console", chunk: SemanticChunk, query: str) -> "list[Text]":
    from rich.text import Text

    lines = _rendered(console, chunk)
    window = best_window([line.plain for line in lines], query, _EXCERPT_LINES)
    shown = [Text(" " * _INDENT) + lines[number] for number in window]
    cut = Text(" " * _INDENT + "...", style="dim")
    before = [cut] if window.start > 0 else []
    after = [cut] if window.stop < len(lines) else []
    return [*before, *shown, *after]


def _rendered(console: "Console", chunk: SemanticChunk) -> "list[Text]":
    """The lines of the content that are not blank, laid out to the console's width."""
    from rich.markdown import Markdown
    from rich.text import Text

    content = printable(chunk.content[:_RENDERED_CHARACTERS])
    markdown = Markdown(content, hyperlinks=False, code_theme=_CODE_THEME)
    # Markdown of nothing but HTML renders to nothing: then it is shown as it is written.
    return _laid_out(console, markdown) or _laid_out(console, Text(content))


def _laid_out(console: "Console", body: "RenderableType") -> "list[Text]":
    from rich.text import Text

    options = console.options.update_width(max(_LEAST_WIDTH, console.width - _INDENT))
    lines = [
        # Once more printable: Markdown's entities (`&#x202e;`) are characters only now.
        Text.assemble(*((printable(segment.text), segment.style or "") for segment in line))
        for line in console.render_lines(body, options, pad=False)
    ]
    for line in lines:
        line.rstrip()
    return [line for line in lines if line.plain]


def _title(text: str) -> str:
    line = _one_line(text)
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[:_TITLE_CHARACTERS]}..."


def _one_line(text: str) -> str:
    return " ".join(printable(text).split())
