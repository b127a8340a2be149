"""Markdown for a reader with little room: links and pictures by their labels, headings by their words."""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ragcrawler.chunking.parsing.hidden_text import hidden_spans, links, without_spans
from ragcrawler.items import bounded_label

if TYPE_CHECKING:
    from markdown_it.token import Token

_CODE = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^`\n]*$(?s:.*?)(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<![`\\])(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)",
    re.MULTILINE,
)
_MARKS = re.compile(r"[\\`*_~\[<&]")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\[\]\s]{1,40}\](?::[ \t]*)?")
_SHOWN = {"text", "code_inline", "image"}
_ADDRESS = re.compile(r"\]\((?:<([^<>\n]*)>|(\S*?))(?=\s|\)\Z)")


def short_links(markdown: str) -> str:
    """The text without where its links and pictures lead; code is left as it is."""
    code = _CodeSpans(markdown)
    return without_spans(markdown, [span for span in hidden_spans(markdown) if span[0] not in code])


def numbered_links(markdown: str) -> tuple[str, tuple[str, ...]]:
    """The same with `[1]` behind each label, and the addresses in the order of their numbers.

    An address has one number, however often it stands there.
    """
    code = _CodeSpans(markdown)
    numbers: dict[str, int] = {}
    parts: list[str] = []
    behind = 0
    for link in links(markdown):
        found = _ADDRESS.match(markdown, link.label_end, link.end)
        if link.start in code or found is None:
            continue
        number = numbers.setdefault(found[1] or found[2], len(numbers) + 1)
        label = short_links(markdown[link.start : link.end])
        parts += [markdown[behind : link.start], f"{label} [{number}]"]
        behind = link.end
    return short_links("".join([*parts, markdown[behind:]])), tuple(numbers)


def without_footnote_marks(markdown: str) -> str:
    """The text without `[^5]`, which says nothing where the notes are not shown; code is left as it is."""
    code = _CodeSpans(markdown)
    marks = [found.span() for found in _FOOTNOTE_MARK.finditer(markdown)]
    return without_spans(markdown, [span for span in marks if span[0] not in code])


@lru_cache(maxsize=1_024)
def plain_label(markdown: str) -> str:
    """A heading as a reader of its page sees it: its words, without marks of Markdown and of footnotes."""
    if not _MARKS.search(markdown):
        return markdown
    (block,) = _inline_parser()(_FOOTNOTE_MARK.sub("", bounded_label(markdown)))
    shown = "".join(child.content for child in block.children or () if child.type in _SHOWN)
    return " ".join(shown.split()) or markdown


@cache
def _inline_parser() -> "Callable[[str], list[Token]]":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough").parseInline


class _CodeSpans:
    """The offsets of a text that lie in code."""

    def __init__(self, markdown: str) -> None:
        spans = [found.span() for found in _CODE.finditer(markdown)]
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def __contains__(self, offset: int) -> bool:
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._ends[index]
