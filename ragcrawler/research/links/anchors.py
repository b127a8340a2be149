"""The links of a page with the words around them."""

import re
from dataclasses import dataclass
from urllib.parse import urljoin

from ragcrawler.research.evidence.plain_text import plain
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError

MAX_ANCHORS = 500
_AROUND = 120
_LINK = re.compile(
    r"(?<!!)\[(?P<label>(?:[^\[\]\n!]|!(?!\[)|!?\[[^\[\]\n]{0,300}\](?:\([^()\s]{0,2000}\))?){0,300})\]"
    r"\((?P<target>[^()\s]{1,2000})"
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link of a page.

    Attributes:
        url: canonical.
        text: its label and the words around it, without markup.
    """

    url: str
    text: str


def anchors(markdown: str, base_url: str) -> list[Anchor]:
    """The links of a page's Markdown, the first `MAX_ANCHORS`, each URL once, with the first words for it."""
    found: dict[str, Anchor] = {}
    for match in _LINK.finditer(markdown):
        url = _canonical(match["target"], base_url)
        if url and url not in found:
            found[url] = Anchor(url, _text(markdown, match))
            if len(found) == MAX_ANCHORS:
                break
    return list(found.values())


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

