"""One form for all spellings of a URL: what is compared, fetched, stored and cited."""

import re
from functools import lru_cache

from ragcrawler.urls.errors import UrlError, shown
from ragcrawler.urls.host import canonical_host
from ragcrawler.urls.noise import is_noise, without_path_session
from ragcrawler.urls.percent import normal_path, normal_query

# The sitemap protocol's bound: what a site wants to be found is shorter, what is longer carries state.
MAX_URL_CHARACTERS = 2048
# Noise is dropped before the bound above is applied; this one bounds the work.
MAX_RAW_CHARACTERS = 16_384

_STRIPPED = "".join(map(chr, range(0x21)))
_LINE_BREAK = re.compile(r"[\t\r\n]")
_URL = re.compile(r"(https?)://([^/\\?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE | re.DOTALL)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_PORT = re.compile(r"(?P<host>\[[^\]]*\]?|[^:\[]*)(?::(?P<port>[0-9]*))?\Z", re.ASCII)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65_535


def canonical_url(url: str) -> str:
    """The one spelling of an http(s) URL; the canonical form of a canonical URL is itself.

    Scheme and host in lower case, IDNA host without trailing dot, default port off, backslashes and dot
    segments resolved, percent-encoding normal, empty path "/", fragment dropped, tracking and session
    parameters dropped (`noise.py` lists them), the rest of the query sorted by name; parameters of one name
    keep their order, which may mean something. Rules: RFC 3986 section 6.2, and the URL standard where
    browsers differ from it.

    Raises:
        UrlError: the URL is not http(s), not one at all, too long, or has credentials in it. Those are
            refused, not stripped: without them it would be another resource, with them a password would end
            up in the index, the feed and the log.
    """
    scheme, authority, path, query = _split(url)
    host, port = _split_authority(authority, scheme)
    canonical = f"{scheme}://{host}{port}{_canonical_path(path)}"
    if query:
        canonical += _canonical_query(query)
    if len(canonical) > MAX_URL_CHARACTERS:
        raise _too_long(url, MAX_URL_CHARACTERS)
    return canonical


def host_and_port(url: str) -> tuple[str, int]:
    """The canonical host of an http(s) URL, IPv6 in brackets, and its port.

    Raises:
        UrlError: as `canonical_url`.
    """
    scheme, authority, _, _ = _split(url)
    host, port = _split_authority(authority, scheme)
    return host, int(port[1:]) if port else _DEFAULT_PORTS[scheme]


def _split(url: str) -> tuple[str, str, str, str | None]:
    if len(url) > MAX_RAW_CHARACTERS:
        raise _too_long(url, MAX_RAW_CHARACTERS)
    # The URL standard: spaces and controls around a URL and line breaks within it are no part of it.
    text = _LINE_BREAK.sub("", url.strip(_STRIPPED))
    match = _URL.match(text)
    if match is None:
        if _SCHEME.match(text):
            raise UrlError("not_http", f"{shown(url)} is no http or https URL")
        raise UrlError("not_a_url", f"{shown(url)} is no absolute URL; write https://host/path")
    scheme, authority, path, query = match.groups()
    return scheme.lower(), authority, path, query


# A page links to few hosts many times.
@lru_cache(maxsize=1024)
def _split_authority(authority: str, scheme: str) -> tuple[str, str]:
    if "@" in authority:
        # The message names the host alone: it goes to the log.
        raise UrlError(
            "credentials",
            f"a URL of {shown(authority.rpartition('@')[2])} has credentials in it; leave them out",
        )
    match = _PORT.match(authority)
    if match is None:
        raise UrlError("bad_port", f"{shown(authority)} has no valid port")
    digits = match["port"]
    port = int(digits[:6]) if digits else _DEFAULT_PORTS[scheme]
    if not 0 < port <= _MAX_PORT:
        raise UrlError(
            "bad_port", f"{shown(authority)} has no valid port; a port is a number from 1 to {_MAX_PORT}"
        )
    return canonical_host(match["host"]), "" if port == _DEFAULT_PORTS[scheme] else f":{port}"


def _canonical_path(path: str) -> str:
    if not path:
        return "/"
    normal = without_path_session(normal_path(path.replace("\\", "/")))
    return _without_dot_segments(normal) if "/." in normal else normal


def _without_dot_segments(path: str) -> str:
    # RFC 3986, section 5.2.4; `%2e` has become a dot before.
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _canonical_query(query: str) -> str:
    pieces: list[tuple[str, str]] = []
    for piece in normal_query(query).split("&"):
        name, _, value = piece.partition("=")
        if piece and not is_noise(name, value):
            pieces.append((name, piece))
    pieces.sort(key=lambda pair: pair[0])
    return "?" + "&".join(piece for _, piece in pieces) if pieces else ""


def _too_long(url: str, limit: int) -> UrlError:
    return UrlError("too_long", f"{shown(url)} is longer than {limit} characters")
