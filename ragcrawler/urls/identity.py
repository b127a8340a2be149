"""Which URLs name one page, and the id of its document."""

import hashlib
import re
from functools import lru_cache
from typing import Literal

from ragcrawler.urls.canonical import without_dot_segments
from ragcrawler.urls.percent import normal_escapes
from ragcrawler.urls.tracking_parameters import (
    is_reserved_parameter,
    is_tracking_parameter,
    without_path_session,
)

ID_CHARACTERS = 32

_PARTS = re.compile(r"(https?://)([^/?]*)([^?]*)(?:\?(.*))?\Z", re.DOTALL)
_WWW = re.compile(r"\A(?:www\.)+(?=[^.:]+\.)")

Rule = Literal["www", "session", "order"]


# A site's navigation stands on each of its pages.
@lru_cache(maxsize=8192)
def url_key(url: str) -> str:
    """The key that all spellings of one page's URL share; it is compared, and never requested.

    Beside what `exact_key` does: `www.` and parameters that look like session ids dropped; the query sorted
    by name, where parameters of one name keep their order, which may mean something. Sites may break these
    rules: two URLs of one key are one page only until they gave different texts. The key of a key is itself.

    Args:
        url: canonical. Any other text is its own key.
    """
    match = _PARTS.match(url)
    if match is None:
        return url
    scheme, authority, path, query = match.groups()
    return scheme + _WWW.sub("", authority) + _path_key(path) + (_query_key(query) if query else "")


@lru_cache(maxsize=8192)
def exact_key(url: str) -> str:
    """The spelling of a URL without what never changes a page.

    Percent-encoding normal; parameters that are used for tracking or sessions alone dropped. The key of a key
    is itself.

    Args:
        url: canonical. Any other text is its own key.
    """
    match = _PARTS.match(url)
    if match is None:
        return url
    scheme, authority, path, query = match.groups()
    pieces = _pieces(query)
    return scheme + authority + _path_key(path) + ("?" + "&".join(pieces) if pieces else "")


def broken_rule(url: str, other: str) -> Rule:
    """By which rule two canonical URLs of one key and different exact keys would be one page."""
    parts, others = _PARTS.match(exact_key(url)), _PARTS.match(exact_key(other))
    if parts is None or others is None or parts[2] != others[2]:
        return "www"
    return "order" if sorted(_pieces(parts[4])) == sorted(_pieces(others[4])) else "session"


def is_same_page(url: str, other: str) -> bool:
    """Whether two canonical URLs name one page."""
    return url == other or url_key(url) == url_key(other)


def cited_url(url: str) -> str:
    """A canonical URL as it is stored and shown: the site's spelling without sessions and tracking."""
    match = _PARTS.match(url)
    if match is None:
        return url
    scheme, authority, path, query = match.groups()
    kept = [piece for piece in query.split("&") if not _is_noise(piece)] if query else []
    path = without_dot_segments(without_path_session(path)) or "/"
    return scheme + authority + path + ("?" + "&".join(kept) if kept else "")


def exact_url(url: str) -> str:
    """A canonical URL as `cited_url` gives it, with parameters that look like session ids."""
    match = _PARTS.match(url)
    if match is None:
        return url
    scheme, authority, path, query = match.groups()
    kept = [piece for piece in query.split("&") if not is_reserved_parameter(_name(piece))] if query else []
    path = without_dot_segments(without_path_session(path)) or "/"
    return scheme + authority + path + ("?" + "&".join(kept) if kept else "")


def document_id(url: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of a URL's key.

    128 bits: among a thousand million documents two share an id with a probability of about 10^-21.
    """
    return hashlib.sha256(url_key(url).encode("utf-8", "surrogatepass")).hexdigest()[:ID_CHARACTERS]


def exact_document_id(url: str) -> str:
    """Likewise, for a page that is another than that of the URLs with its key."""
    return hashlib.sha256(f"={exact_key(url)}".encode("utf-8", "surrogatepass")).hexdigest()[:ID_CHARACTERS]


def _path_key(path: str) -> str:
    return without_dot_segments(without_path_session(normal_escapes(path))) or "/"


def _pieces(query: str | None) -> list[str]:
    pieces = normal_escapes(query or "").split("&")
    return [piece for piece in pieces if piece and not is_reserved_parameter(_name(piece))]


def _query_key(query: str) -> str:
    pieces = [piece for piece in normal_escapes(query).split("&") if piece and not _is_noise(piece)]
    return "?" + "&".join(sorted(pieces, key=_name)) if pieces else ""


def _is_noise(piece: str) -> bool:
    name, _, value = piece.partition("=")
    return is_tracking_parameter(name, value)


def _name(piece: str) -> str:
    return piece.partition("=")[0]
