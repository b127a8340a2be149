"""Percent-encoding (RFC 3986, sections 2.1, 2.3 and 6.2.2)."""

import re
from urllib.parse import quote

_UNRESERVED = r"A-Za-z0-9._~\-"
# Between these and their escapes RFC 3986 sees a difference; both are left as they are.
_RESERVED_IN_PATH = "!$&'()*+,;=:@/"
# Browsers and Scrapy's requests escape a bare apostrophe in a query (URL standard, special-query set).
_RESERVED_IN_QUERY = "!$&()*+,;=:@/?"

_NOT_IN_PATH = re.compile(rf"[^{_UNRESERVED}{re.escape(_RESERVED_IN_PATH)}%]")
_NOT_IN_QUERY = re.compile(rf"[^{_UNRESERVED}{re.escape(_RESERVED_IN_QUERY)}%]")
_ESCAPE_OR_PERCENT = re.compile(r"%(?:[0-9A-Fa-f]{2})?")
_UNRESERVED_CHARACTER = re.compile(rf"[{_UNRESERVED}]")


def escaped_path(path: str) -> str:
    """A path with every character that may not stand there escaped as UTF-8; escapes stay as they are."""
    return _NOT_IN_PATH.sub(_escape, path)


def escaped_query(query: str) -> str:
    """Likewise for a query."""
    return _NOT_IN_QUERY.sub(_escape, query)


def normal_escapes(escaped: str) -> str:
    """One spelling of what is escaped: upper case, only what needs it, a lone percent sign too."""
    return _ESCAPE_OR_PERCENT.sub(_normal, escaped) if "%" in escaped else escaped


def _escape(match: re.Match[str]) -> str:
    return quote(match.group().encode("utf-8", "replace"), safe="")


def _normal(match: re.Match[str]) -> str:
    found = match.group()
    if found == "%":
        return "%25"
    character = chr(int(found[1:], 16))
    return character if _UNRESERVED_CHARACTER.match(character) else found.upper()
