"""The canonical form of a host name."""

import ipaddress
import re
from urllib.parse import unquote, urlsplit

import idna

from ragcrawler.urls.errors import UrlError, shown

# Underscores are no host names by RFC 1123, but the DNS knows them and sites use them.
_ASCII_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\Z")

# A last label like this makes resolvers read the name as a number: `0x7f.1`, `2130706433` are 127.0.0.1.
_NUMERIC_LAST_LABEL = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\Z")

# Nearly all canonical URLs: a name, no port.
_PLAIN = re.compile(r"https?://([a-z0-9._-]+)/")


def canonical_host(host: str) -> str:
    """Lower case, IDNA (UTS 46, non-transitional, as browsers do), no trailing dot, IPv6 in brackets.

    Raises:
        UrlError: "bad_host" for what is neither a name nor an address in its usual notation.
    """
    name = (unquote(host) if "%" in host else host).lower().removesuffix(".")
    if name.startswith("["):
        return _bracketed_ipv6(name, host)
    if not name.isascii():
        name = _idna_ascii(name, host)
    if not _ASCII_NAME.match(name):
        raise UrlError("bad_host", f"{shown(host)} is no host name")
    if _NUMERIC_LAST_LABEL.search(name) and not is_ip_address(name):
        raise UrlError("bad_host", f"{shown(host)} is no IPv4 address; write all four decimal numbers")
    return name


def host_of(url: str) -> str:
    """The host of a canonical URL, without its port; "" for any other text."""
    # Each URL that is found is asked for its host: to split it would cost ten times as much.
    plain = _PLAIN.match(url)
    return plain[1] if plain else urlsplit(url).hostname or ""


def is_ip_address(host: str) -> bool:
    """Whether a canonical host is an address and not a name."""
    try:
        ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _bracketed_ipv6(name: str, host: str) -> str:
    if not name.endswith("]") or "%" in name:  # a zone id names an interface of one machine only
        raise UrlError("bad_host", f"{shown(host)} is no IPv6 address")
    try:
        return f"[{ipaddress.IPv6Address(name[1:-1])}]"
    except ValueError as error:
        raise UrlError("bad_host", f"{shown(host)} is no IPv6 address") from error


def _idna_ascii(name: str, host: str) -> str:
    try:
        return idna.encode(name, uts46=True).decode("ascii").removesuffix(".")
    except UnicodeError as error:
        raise UrlError("bad_host", f"{shown(host)} is no host name: {error}") from error
