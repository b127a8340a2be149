"""Recognise chunks that list other content or the changes of releases, by their shape."""

import re
from itertools import pairwise

from ragcrawler.chunking.output.releases import is_release_page, release_headings
from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.parsing.hidden_text import links, visible
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.items import ListingKind

_LETTER = re.compile(r"[^\W\d_]")
_HEADING_LINE = re.compile(r"^ {0,3}#{1,6} .*$", re.MULTILINE)
_ENTRY = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)]|\|)[ \t|]*(?=\S)", re.MULTILINE)
# A name, dots up to the margin, the number of a page, as the contents of a printed book are set.
_LEADER = re.compile(r"(?:\.{4,}|(?:\. ){3,}|…{2,})[ .|]*(?:\d{1,4}|[ivxlc]{1,6})[ |]*$")
_END = 60
_LONGEST_TERM = 160
_PAGES = re.compile(r"^[^\W\d_].*?[ ,](?:\d{1,4}(?:[-–]\d{1,4})?)(?:, ?\d{1,4}(?:[-–]\d{1,4})?)*$")
_LINK_SHARE = 0.8
_LEAST_LINKS = 2
_LEAST_ENTRIES = 5
_LEAST_SORTED = 8
_LINE_SHARE = 0.6
_SORTED_SHARE = 0.9
_WORDS_OF_A_TERM = 6


class Listings:
    """The kinds of a document's chunks; knows its headings, for one alone does not tell a changelog."""

    def __init__(self, document: ParsedDocument, url: str, title: str) -> None:
        headings = [section.heading for section in document.root.walk() if section.heading]
        self._releases = release_headings(headings)
        self._is_release = is_release_page(url, [title, *headings[:1]])

    def kind(self, draft: Draft) -> ListingKind:
        """The kind of one chunk, "" for content."""
        is_changelog = self._is_release or not self._releases.isdisjoint(draft.main.path)
        return listing_kind(draft.content) or ("changelog" if is_changelog else "")


def listing_kind(content: str) -> ListingKind:
    """The listing that a chunk is: an index, contents or bare links; "" for content.

    Headings do not count. A list of links with a sentence about each is content.
    """
    text = _HEADING_LINE.sub("", content)
    if _is_linked(text):
        return _of_links(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if _share(sum(bool(_LEADER.search(line[-_END:])) for line in lines), lines) >= _LINE_SHARE:
        return "contents"
    terms = [line for line in lines if len(line) <= _LONGEST_TERM and _PAGES.match(line)]
    if len(lines) >= _LEAST_SORTED and _share(len(terms), lines) >= _LINE_SHARE and _is_sorted(terms):
        return "index"
    return ""


def _is_linked(text: str) -> bool:
    """Whether nearly all of its letters are in labels of links."""
    found = [link for link in links(text) if not text.startswith("!", link.start)]
    labels = sum(_letters(visible(text[link.start : link.end])) for link in found)
    return len(found) >= _LEAST_LINKS and labels >= _LINK_SHARE * max(1, _letters(visible(text)))


def _of_links(text: str) -> ListingKind:
    entries = [_first_words(line) for line in visible(text).splitlines() if _ENTRY.match(line)]
    if len(entries) < _LEAST_ENTRIES:
        return "links"
    terms = [entry for entry in entries if len(entry.split()) <= _WORDS_OF_A_TERM]
    is_index = len(entries) >= _LEAST_SORTED and _share(len(terms), entries) >= _SORTED_SHARE
    return "index" if is_index and _is_sorted(entries) else "contents"


def _first_words(line: str) -> str:
    return _ENTRY.sub("", line).strip("`*_ |\t")


def _is_sorted(terms: list[str]) -> bool:
    keys = [re.sub(r"^\W+", "", term).casefold() for term in terms]
    rises = sum(before <= after for before, after in pairwise(keys))
    return len(set(keys)) >= _LEAST_SORTED and rises >= _SORTED_SHARE * (len(keys) - 1)


def _share(count: int, of: list[str]) -> float:
    return count / len(of) if len(of) >= _LEAST_ENTRIES else 0.0


def _letters(text: str) -> int:
    return sum(1 for _ in _LETTER.finditer(text))
