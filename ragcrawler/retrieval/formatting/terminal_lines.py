"""Lay out and highlight untrusted text for a terminal, without control characters."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.retrieval.short_links import plain_label
from ragcrawler.stores.ranking.words import words

if TYPE_CHECKING:
    from markdown_it.token import Token
    from rich.console import Console, RenderableType
    from rich.text import Text

_WRITTEN = re.compile(r"[^\W_]+(?:[-_.:]+[^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
INDENT = 3
SUSPICIOUS = "! It holds text that reads like instructions to a model."
_TITLE_CHARACTERS = 120
_LONGEST_KEPT = 32
_LEAST_WIDTH = 20
_CODE_THEME = "ansi_dark"
_FOUND = "bold yellow"


def find_highlights(text: str, wanted: Collection[str]) -> Iterator[tuple[int, int]]:
    """Start and end of each word whose stem is wanted; of a name whole, or of its parts."""
    for written in _WRITTEN.finditer(text):
        if written[0].casefold() in wanted:
            yield written.span()
            continue
        for part in _PART.finditer(written[0]):
            if not _stems(part[0]).isdisjoint(wanted):
                yield written.start() + part.start(), written.start() + part.end()


def _stems(word: str) -> frozenset[str]:
    """The stems of a word; those of usual words are kept, for texts repeat them."""
    return _kept_stems(word) if len(word) <= _LONGEST_KEPT else frozenset(words(word))


@lru_cache(maxsize=16_384)
def _kept_stems(word: str) -> frozenset[str]:
    return frozenset(words(word))


def title(text: str) -> str:
    """A title in one line of bounded length."""
    line = one_line(text)
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[:_TITLE_CHARACTERS]}..."


def one_line(text: str) -> str:
    """The text without line breaks and control characters."""
    return " ".join(printable(text).split())


def path_line(section_path: Sequence[str], document_title: str) -> str:
    """The headings above a passage, without the first where it is the title, which stands above it."""
    shown = [title(plain_label(heading)) for heading in section_path]
    return " > ".join(shown[1:] if shown[:1] == [title(plain_label(document_title))] else shown)


def markdown_lines(console: "Console", markdown: str, wanted: Collection[str]) -> "list[Text]":
    """The lines that are not blank, laid out to the console's width, with the wanted words highlighted."""
    return _markdown_lines(console, markdown, wanted, lambda tokens: tokens)


def excerpt_lines(
    console: "Console", markdown: str, wanted: Collection[str], headings: Collection[str]
) -> "list[Text]":
    """Likewise, without link targets, footnote marks and the headings that are shown above."""
    from ragcrawler.retrieval.formatting.markdown_tokens import excerpt_tokens

    return _markdown_lines(console, markdown, wanted, lambda tokens: excerpt_tokens(tokens, headings))


def _markdown_lines(
    console: "Console",
    markdown: str,
    wanted: Collection[str],
    change: "Callable[[list[Token]], list[Token]]",
) -> "list[Text]":
    from rich.markdown import Markdown
    from rich.text import Text

    content = printable(markdown)
    rendered = Markdown(content, hyperlinks=False, code_theme=_CODE_THEME)
    rendered.parsed = change(rendered.parsed)
    # Markdown of nothing but HTML renders to nothing: then it is shown as it is written.
    lines = _laid_out(console, rendered) or _laid_out(console, Text(content))
    for line in lines:
        for start, end in find_highlights(line.plain, wanted):
            line.stylize(_FOUND, start, end)
    return lines


def _laid_out(console: "Console", body: "RenderableType") -> "list[Text]":
    from rich.text import Text

    options = console.options.update_width(max(_LEAST_WIDTH, console.width - INDENT))
    lines = [
        # Once more printable: Markdown's entities (`&#x202e;`) are characters only now.
        Text.assemble(*((printable(segment.text), segment.style or "") for segment in line))
        for line in console.render_lines(body, options, pad=False)
    ]
    for line in lines:
        line.rstrip()
    return [line for line in lines if line.plain]
