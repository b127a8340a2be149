"""The links of a page with the words around them."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urljoin

from lxml.html import HtmlElement

from ragcrawler.conversion import ConversionError, ConversionLimits
from ragcrawler.conversion.html.parse import parse
from ragcrawler.research.evidence.plain_text import plain
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError

MAX_ANCHORS = 500
_AROUND = 120
_BEGINNING = 1_000  # characters of a page, with its title, that stand for it
# Possessive: a label that does not end in a bracket is tried in one way alone.
_LINK = re.compile(
    r"(?<!!)\[(?P<label>(?:[^\[\]\n!]|!(?!\[)|!?\[[^\[\]\n]{0,300}\](?:\([^()\s]{0,2000}\))?+){0,300}+)\]"
    r"\((?P<target>[^()\s]{1,2000})"
)
# What holds a sentence or an entry: its text says what the link is about.
_BLOCKS = {"p", "li", "td", "dd", "dt", "th", "blockquote", "figcaption", "caption"}
_NEAREST_BLOCK = 4  # elements up from the link


@dataclass(frozen=True, slots=True)
class LinkAnchor:
    """A link of a page.

    Attributes:
        url: canonical.
        text: its label and the words around it, without markup.
    """

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class LinkingPage:
    """A page as far as its links are judged by it.

    Attributes:
        url: of the page.
        beginning: its title and its first words.
        anchors: its links, the first `MAX_ANCHORS`, each URL once, with the first words for it.
    """

    url: str
    beginning: str
    anchors: tuple[LinkAnchor, ...]


def linking_page_of_html(html: str, base_url: str, followed: Collection[str]) -> LinkingPage:
    """Read the links of a web page.

    Args:
        html: of the page.
        base_url: its final URL.
        followed: canonical URLs of the links that may be followed; others are left out.
    """
    try:
        root = parse(html, base_url, ConversionLimits())
    except ConversionError:  # nothing is read of such a page either
        return LinkingPage(base_url, "", ())
    found: dict[str, LinkAnchor] = {}
    for element in root.iter("a"):
        url = _canonical(element.get("href", ""), base_url)
        if url in followed and url not in found:
            found[url] = LinkAnchor(url, _words_of(element))
            if len(found) == MAX_ANCHORS:
                break
    return LinkingPage(base_url, " ".join(_beginning(root)), tuple(found.values()))


def linking_page_of_markdown(markdown: str, base_url: str, title: str) -> LinkingPage:
    """Read the links of a page that is no web page, from its Markdown."""
    found: dict[str, LinkAnchor] = {}
    for match in _LINK.finditer(markdown):
        url = _canonical(match["target"], base_url)
        if url and url not in found:
            found[url] = LinkAnchor(url, _text(markdown, match))
            if len(found) == MAX_ANCHORS:
                break
    return LinkingPage(base_url, plain(f"{title}. {markdown[:_BEGINNING]}"), tuple(found.values()))


def _words_of(element: HtmlElement) -> str:
    label = _text_of(element) or element.get("title", "")
    ancestors = islice(element.iterancestors(), _NEAREST_BLOCK)
    block = next((each for each in ancestors if each.tag in _BLOCKS), None)
    around = "" if block is None else _text_of(block)
    start = around.find(label)
    around = around[max(0, start - _AROUND) : start + len(label) + _AROUND] if start >= 0 else ""
    return label if label == around else f"{label}. {around}".strip(". ")


def _beginning(root: HtmlElement) -> Iterator[str]:
    """Title and paragraphs, up to so many characters."""
    left = _BEGINNING
    for element in root.iter("title", "h1", "p"):
        words = _text_of(element)[:left]
        left -= len(words)
        if words:
            yield words
        if left <= 0:
            return


def _text_of(element: HtmlElement) -> str:
    return " ".join(str(element.text_content()).split())


def _canonical(target: str, base_url: str) -> str:
    try:
        return canonical_url(urljoin(base_url, target.strip("<>")))
    except (UrlError, ValueError):
        return ""


def _text(markdown: str, match: re.Match[str]) -> str:
    left = markdown.rfind("\n", 0, match.start()) + 1
    right = markdown.find("\n", match.end())
    left = max(left, match.start() - _AROUND)
    right = min(right if right >= 0 else len(markdown), match.end() + _AROUND)
    label = plain(match["label"])
    around = plain(markdown[left:right])
    return label if label == around else f"{label}. {around}".strip(". ")
