"""How a URL is written: what is asked for, compared with patterns, stored and cited.

Two URLs that are written differently may still name one page: `identity.py` knows.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from ragcrawler.urls.errors import UrlError, shown, shown_url
from ragcrawler.urls.host import canonical_host
from ragcrawler.urls.percent import escaped_path, escaped_query

# The sitemap protocol's bound: what a site wants to be found is shorter, what is longer carries state.
MAX_URL_CHARACTERS = 2048

_STRIPPED = "".join(map(chr, range(0x21)))
_LINE_BREAK = re.compile(r"[\t\r\n]")
_URL = re.compile(r"(https?)://([^/\\?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE | re.DOTALL)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_PORT = re.compile(r"(?P<host>\[[^\]]*\]?|[^:\[]*)(?::(?P<port>[0-9]*))?\Z", re.ASCII)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAX_PORT = 65_535
_DOT_SEGMENT = re.compile(r"/(?:\.|%2e){1,2}(?:/|\Z)", re.IGNORECASE)
_ESCAPED_DOT = re.compile(r"%2e", re.IGNORECASE)


def canonical_url(url: str) -> str:
    """An http(s) URL as a browser would send it; the canonical form of a canonical URL is itself.

    Scheme and host in lower case, IDNA host without trailing dot, default port off, backslashes and dot
    segments resolved, empty path "/", fragment dropped, what may not stand in a URL escaped as UTF-8. All
    else is the site's own spelling and stays: a site may tell `/a` from `/a/`, and sign its parameters in
    their order. Rules: RFC 3986 section 6.2, and the URL standard where browsers differ from it.

    Raises:
        UrlError: the URL is not http(s), not one at all, too long, or has credentials in it. Those are
            refused, not stripped: without them it would be another resource, with them a password would end
            up in the index, the feed and the log.
    """
    scheme, authority, path, query = split_url(url)
    host, port = _split_authority(authority, scheme)
    canonical = f"{scheme}://{host}{port}{_canonical_path(path)}"
    if query:
        canonical += "?" + escaped_query(query)
    if len(canonical) > MAX_URL_CHARACTERS:
        raise _too_long(url)
    return canonical


def usable_urls(urls: Iterable[str]) -> tuple[list[str], int]:
    """The canonical form of those that are http(s) URLs, and how many are none."""
    usable: list[str] = []
    unusable = 0
    for url in urls:
        try:
            usable.append(canonical_url(url))
        except UrlError:
            unusable += 1
    return usable, unusable


def host_and_port(url: str) -> tuple[str, int]:
    """The canonical host of an http(s) URL, IPv6 in brackets, and its port.

    Raises:
        UrlError: as `canonical_url`.
    """
    scheme, authority, _, _ = split_url(url)
    host, port = _split_authority(authority, scheme)
    return host, int(port[1:]) if port else _DEFAULT_PORTS[scheme]


def split_url(url: str) -> tuple[str, str, str, str | None]:
    """Scheme in lower case, authority, path and query of an http(s) URL, as they are written.

    Raises:
        UrlError: it is none, or too long to be looked at.
    """
    if len(url) > 8 * MAX_URL_CHARACTERS:  # it may be written longer than it is: in spaces and fragments
        raise _too_long(url)
    # The URL standard: spaces and controls around a URL and line breaks within it are no part of it.
    text = _LINE_BREAK.sub("", url.strip(_STRIPPED))
    match = _URL.match(text)
    if match is None:
        if _SCHEME.match(text):
            raise UrlError("not_http", f"{shown_url(url)} is no http or https URL")
        raise UrlError("not_a_url", f"{shown_url(url)} is no absolute URL; write https://host/path")
    scheme, authority, path, query = match.groups()
    return scheme.lower(), authority, path, query


def without_dot_segments(path: str) -> str:
    """A path that begins with "/", without "." and ".." (RFC 3986, section 5.2.4)."""
    if _DOT_SEGMENT.search(path) is None:
        return path
    kept: list[str] = []
    segments = [_dots(segment) for segment in path.split("/")[1:]]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _dots(segment: str) -> str:
    dots = _ESCAPED_DOT.sub(".", segment)
    return dots if dots in (".", "..") else segment


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
    return without_dot_segments(escaped_path(path.replace("\\", "/"))) if path else "/"


def _too_long(url: str) -> UrlError:
    return UrlError("too_long", f"{shown_url(url)} is longer than {MAX_URL_CHARACTERS} characters")
