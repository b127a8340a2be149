"""The links of a document that is text, for a crawler to follow."""

import posixpath
import re
from collections.abc import Iterable
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

_OWN_PICTURE = re.compile(r"!\[[^\]\n]*\]\(picture-\d+\.\w+\)")
_BARE = re.compile(r"https?://[^\s<>\"'`\])}|\\]+", re.IGNORECASE)
# `[^1]: word` is a footnote, and no definition of a link.
_MARKDOWN = re.compile(r"\]\(\s*<?([^)\s>]+)|^\s{0,3}\[(?!\^)[^\]\n]+\]:\s*<?([^\s>]+)", re.MULTILINE)
_TRAILING = ".,;:!?"


def document_links(markdown: str, url: str) -> tuple[str, ...]:
    """Absolute URLs in order, each once, that lead away from the document at `url`."""
    away = markdown_links(_OWN_PICTURE.sub("", markdown), url)
    return tuple(link for link in away if link != url.partition("#")[0])


def bare_links(text: str) -> tuple[str, ...]:
    """The web addresses that stand in a text, in order, without duplicates."""
    return tuple(dict.fromkeys(found.rstrip(_TRAILING) for found in _BARE.findall(text)))


def markdown_links(markdown: str, url: str) -> tuple[str, ...]:
    """The targets of Markdown links and the bare addresses, absolute, in order, without duplicates."""
    targets = [one or other for one, other in _MARKDOWN.findall(markdown)]
    return absolute_links([*targets, *bare_links(markdown)], url)


def absolute_links(addresses: Iterable[str], url: str) -> tuple[str, ...]:
    """Web addresses among `addresses`, resolved against `url`, without fragments and duplicates."""
    found: dict[str, None] = {}
    for address in addresses:
        try:
            resolved = urldefrag(urljoin(url, address.strip())).url if address.strip() else ""
            if urlsplit(resolved).scheme in ("http", "https"):
                found[resolved] = None
        except ValueError:
            continue
    return tuple(found)


def relative_targets(markdown: str, url: str) -> tuple[str, ...]:
    """Where the relative links of a Markdown text lead, in order, without duplicates.

    Args:
        markdown: the text.
        url: of the document: a URL, or the path of a file in a folder. What leads out of that folder is left
            out.
    """
    resolved = [_relative_target(one or other, url) for one, other in _MARKDOWN.findall(markdown)]
    return tuple(dict.fromkeys(filter(None, resolved)))


def _relative_target(target: str, url: str) -> str:
    try:
        parts = urlsplit(target)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc or not parts.path:
        return ""
    if urlsplit(url).netloc:
        return urljoin(url, target)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(url), unquote(parts.path)))
    if path == ".." or path.startswith(("../", "/")):
        return ""
    return f"{path}#{parts.fragment}" if parts.fragment else path
