"""mdBook: `SUMMARY.md`, a list of links."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ragcrawler.sources.navigation.entry import NavigationEntry


def mdbook_entries(summary: str, folder: str) -> Iterator[NavigationEntry]:
    """The chapters in their order; drafts, which have no file, are left out.

    Args:
        summary: the text of `SUMMARY.md`.
        folder: its folder, relative to the folder that is read; "" where it is that one.
    """
    for token in MarkdownIt("commonmark").parse(summary):
        for href, title in _links(token.children or []):
            parts = urlsplit(href)
            if parts.path and not parts.scheme and not parts.netloc:
                path = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
                yield NavigationEntry(path, title)


def _links(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """Target and text of each link in a paragraph."""
    href, words = "", list[str]()
    for token in tokens:
        if token.type == "link_open":
            href, words = str(token.attrGet("href") or ""), []
        elif token.type == "link_close":
            yield href, " ".join("".join(words).split())
        elif token.type in ("text", "code_inline"):
            words.append(token.content)
        elif token.type == "softbreak":
            words.append(" ")
