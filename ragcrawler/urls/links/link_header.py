"""The HTTP header `Link` (RFC 8288), as far as it gives a page's own address."""

import re

from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.links.base_url import Base

_MAX_CHARACTERS = 8192
_LINK = re.compile(r"<([^<>]*+)>([^<]*+)")
_RELATION = re.compile(r";\s*+rel\s*+=\s*+(?:\"([^\"]*+)\"|([^\s;,\"]++))", re.IGNORECASE)


def canonical_of_header(value: str, base_url: str) -> tuple[str, ...]:
    """The canonical URLs that a `Link` header gives with `rel=canonical`, each once.

    It is how documents without markup, PDFs say, name the page they belong to.

    Args:
        value: the header; several are joined with commas.
        base_url: of the page, canonical.
    """
    urls: dict[str, None] = {}
    for reference, parameters in _LINK.findall(value[:_MAX_CHARACTERS]):
        match = _RELATION.search(parameters)
        if match and "canonical" in (match[1] or match[2] or "").lower().split():
            try:
                urls[canonical_url(Base.of(base_url).resolve(reference.strip()))] = None
            except UrlError:
                continue  # as with a link on a page that leads nowhere
    return tuple(urls)
