"""Which URLs name one page, and the id of its document."""

import hashlib
import re
from functools import lru_cache

from ragcrawler.urls.canonical import without_dot_segments
from ragcrawler.urls.percent import normal_escapes
from ragcrawler.urls.tracking_parameters import is_tracking_parameter, without_path_session

ID_CHARACTERS = 32

_PARTS = re.compile(r"(https?://)([^/?]*)([^?]*)(?:\?(.*))?\Z", re.DOTALL)
_WWW = re.compile(r"\A(?:www\.)+(?=[^.:]+\.)")
# Servers give these for the folder; a trailing slash is the folder itself.
_INDEX = re.compile(
    r"(?<!/)(?:/(?:index\.(?:x?html?|shtml|php[0-9]?|aspx?|jsp|cfm)|default\.(?:html?|aspx?))?)++\Z",
    re.IGNORECASE,
)


# A site's navigation stands on each of its pages.
@lru_cache(maxsize=8192)
def url_key(url: str) -> str:
    """The key of a page, equal for all spellings of its URL; only compared, never requested.

    Beside what `canonical_url` does: percent-encoding normal; session ids and tracking parameters dropped
    (`tracking_parameters.py` lists them); the query sorted by name, where parameters of one name keep their
    order, which may mean something; `www.`, `index.html` and its kin, and a trailing slash dropped. The key
    of a key is itself.

    Args:
        url: canonical. Any other text is its own key.
    """
    match = _PARTS.match(url)
    if match is None:
        return url
    scheme, authority, path, query = match.groups()
    return scheme + _WWW.sub("", authority) + _path_key(path) + (_query_key(query) if query else "")


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


def document_id(url: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of a URL's key.

    128 bits: among a thousand million documents two share an id with a probability of about 10^-21.
    """
    return hashlib.sha256(url_key(url).encode("utf-8", "surrogatepass")).hexdigest()[:ID_CHARACTERS]


def _path_key(path: str) -> str:
    bare = without_dot_segments(without_path_session(normal_escapes(path)))
    return _INDEX.sub("", bare) or "/"


def _query_key(query: str) -> str:
    pieces = [piece for piece in normal_escapes(query).split("&") if piece and not _is_noise(piece)]
    return "?" + "&".join(sorted(pieces, key=_name)) if pieces else ""


def _is_noise(piece: str) -> bool:
    name, _, value = piece.partition("=")
    return is_tracking_parameter(name, value)


def _name(piece: str) -> str:
    return piece.partition("=")[0]
