"""Markdown as its readers see it: what links and pictures are called, without where they lead."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ragcrawler.chunking.parsing.data_addresses import data_name_spans

_LABEL = r"(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*"
# What looks like an address: code such as `handlers[0](event)` keeps its argument.
_DESTINATION = r"(?:[a-zA-Z][\w+.-]*:|/|#|\.{1,2}/)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*"
_LINK = re.compile(rf"""(?<!\\)!?\[({_LABEL})\]\((?:<[^<>\n]*>|{_DESTINATION})(?:\s+"(?:[^"\\]|\\.)*")?\)""")


def hidden_spans(markdown: str) -> list[tuple[int, int]]:
    """The spans of `[label](address "title")` and `![label](address)` around their labels, and of data.

    Addresses are many tokens that say little: a model reads more of the text without them, and its words are
    not those of the site's name. One that is the data itself leaves the name of its type, wherever it stands.

    Returns:
        offsets of the first character and behind the last, ascending, apart from each other.
    """
    links = list(_around_labels(markdown, 0, len(markdown))) if "](" in markdown else []
    data = [
        part
        for (start, end), (first, behind) in data_name_spans(markdown)
        for part in ((start, first), (behind, end))
        if part[0] < part[1]
    ]
    return _merged(links + data)


@dataclass(frozen=True, slots=True)
class MarkdownLink:
    """A link or a picture: `start` to `end` is all of it, behind `label_end` stands `](address "title")`."""

    start: int
    label_end: int
    end: int


def links(markdown: str) -> list[MarkdownLink]:
    """The links and pictures in order; of a picture that is a link, the link."""
    found = _LINK.finditer(markdown) if "](" in markdown else ()
    return [MarkdownLink(each.start(), each.end(1), each.end()) for each in found]


def visible(markdown: str) -> str:
    """The text without its hidden spans."""
    return without_spans(markdown, hidden_spans(markdown))


def without_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without these spans, which are in order."""
    if not spans:
        return text
    edges = [0, *(offset for span in spans for offset in span), len(text)]
    return "".join(text[start:end] for start, end in list(pairwise(edges))[::2])


def _around_labels(
    markdown: str, start: int, end: int, *, is_label: bool = False
) -> Iterator[tuple[int, int]]:
    for found in _LINK.finditer(markdown, start, end):
        yield found.start(), found.start(1)
        if not is_label:
            # A picture that is a link.
            yield from _around_labels(markdown, *found.span(1), is_label=True)
        yield found.end(1), found.end()


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
