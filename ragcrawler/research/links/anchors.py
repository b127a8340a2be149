"""The links of a page with the words around them."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ragcrawler.research.evidence.plain_text import plain
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError

MAX_ANCHORS = 500
_AROUND = 120
_BEGINNING = 1_000  # characters of a page, with its title, that stand for it
_LINK = re.compile(
    r"(?<!!)\[(?P<label>(?:[^\[\]\n!]|!(?!\[)|!?\[[^\[\]\n]{0,300}\](?:\([^()\s]{0,2000}\))?){0,300})\]"
    r"\((?P<target>[^()\s]{1,2000})"
)
# What holds a sentence or an entry: its text says what the link is about.
_BLOCKS = {"p", "li", "td", "dd", "dt", "th", "blockquote", "figcaption", "caption"}
_NEAREST_BLOCK = 4  # elements up from the link


@dataclass(frozen=True, slots=True)
class Anchor:
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
    anchors: tuple[Anchor, ...]


def linking_page_of_html(
    html: bytes, base_url: str, followed: Collection[str], encoding: str = "utf-8"
) -> LinkingPage:
    """Read the links of a web page.

    Args:
        html: of the page.
        base_url: its final URL.
        followed: canonical URLs of the links that may be followed; others are left out.
        encoding: of the bytes.
    """
    tree = LexborHTMLParser(html.decode(encoding, "replace"))
    found: dict[str, Anchor] = {}
    for node in tree.css("a[href]"):
        url = _canonical(node.attributes.get("href") or "", base_url)
        if url in followed and url not in found:
            found[url] = Anchor(url, " ".join(_words_of(node).split()))
            if len(found) == MAX_ANCHORS:
                break
    return LinkingPage(base_url, " ".join(_beginning(tree)), tuple(found.values()))


def linking_page_of_markdown(markdown: str, base_url: str, title: str) -> LinkingPage:
    """Read the links of a page that is no web page, from its Markdown."""
    found: dict[str, Anchor] = {}
    for match in _LINK.finditer(markdown):
        url = _canonical(match["target"], base_url)
        if url and url not in found:
            found[url] = Anchor(url, _text(markdown, match))
            if len(found) == MAX_ANCHORS:
                break
    return LinkingPage(base_url, plain(f"{title}. {markdown[:_BEGINNING]}"), tuple(found.values()))


def _words_of(node: LexborNode) -> str:
    label = node.text(deep=True).strip() or node.attributes.get("title") or ""
    block: LexborNode | None = node
    for _ in range(_NEAREST_BLOCK):
        block = block.parent if block is not None else None
        if block is None or block.tag in _BLOCKS:
            break
    around = block.text(deep=True).strip() if block is not None and block.tag in _BLOCKS else ""
    start = around.find(label)
    around = around[max(0, start - _AROUND) : start + len(label) + _AROUND] if start >= 0 else ""
    return label if label == around else f"{label}. {around}".strip(". ")


def _beginning(tree: LexborHTMLParser) -> Iterator[str]:
    """Title and paragraphs, up to so many characters."""
    left = _BEGINNING
    for node in tree.css("title, h1, p"):
        words = " ".join(node.text(deep=True).split())[:left]
        left -= len(words)
        if words:
            yield words
        if left <= 0:
            return


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
