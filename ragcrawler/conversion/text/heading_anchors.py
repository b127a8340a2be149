"""The places that a URL fragment can name in Markdown, as its renderers name them."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

from markdown_it import MarkdownIt

from ragcrawler.conversion.converted import Converted
from ragcrawler.items import Anchor

_DIALECTS = ("text/markdown", "text/mdx")
_MOST_CHARACTERS = 1_000  # of a heading
_OWN_ID = re.compile(r"\s*\{#([^\s{}]+)[^{}]*\}\s*$")
_ELEMENT_ID = re.compile(r"<a\s[^>]{0,200}?(?:id|name)\s*=\s*[\"']?([^\s\"'>]+)", re.IGNORECASE)


def with_heading_anchors(converted: Converted) -> Converted:
    """A document of Markdown with an anchor for each heading; any other as it is.

    A heading is named as GitHub, mdBook and Docusaurus do it: in lower case, without punctuation, with "-"
    for spaces and "-1" behind a name that comes again. An id of its own, `{#id}`, and those of `<a id="...">`
    go before.
    """
    if converted.metadata.media_type not in _DIALECTS:
        return converted
    return replace(converted, anchors=tuple(_anchors(converted.markdown)))


def _anchors(markdown: str) -> Iterator[Anchor]:
    # What stands in a line costs most to read, and only headings are of interest.
    tokens = MarkdownIt("commonmark").disable("inline").parse(markdown)
    inline = MarkdownIt("commonmark")
    taken: dict[str, int] = {}
    for index, token in enumerate(tokens):
        line = token.map[0] if token.map else 0
        if token.type in ("inline", "html_block"):
            for name in _ELEMENT_ID.findall(token.content):
                taken.setdefault(name, 0)
                yield Anchor(line, name)
        if token.type == "heading_open" and (name := _name(tokens[index + 1].content, inline, taken)):
            taken.setdefault(name, 0)
            yield Anchor(line, name)


def _name(heading: str, inline: MarkdownIt, taken: dict[str, int]) -> str:
    """The name of a heading, "" where it has none; `taken` counts how often each came again."""
    own = _OWN_ID.search(heading[:_MOST_CHARACTERS])
    if own:
        return own[1]
    children = inline.parseInline(heading[:_MOST_CHARACTERS])[0].children or []
    words = "".join(each.content for each in children if each.type in ("text", "code_inline"))
    first = name = "".join(filter(_is_kept, words.strip().lower())).replace(" ", "-")
    while first and name in taken:
        taken[first] += 1
        name = f"{first}-{taken[first]}"
    return name


def _is_kept(sign: str) -> bool:
    return sign in " -" or unicodedata.category(sign)[0] in "LMN" or unicodedata.category(sign) == "Pc"
