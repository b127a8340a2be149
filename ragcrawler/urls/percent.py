"""Percent-encoding brought to one form (RFC 3986, sections 2.1, 2.3 and 6.2.2)."""

import re
from urllib.parse import quote

_UNRESERVED = r"A-Za-z0-9._~\-"
# Between these and their escapes RFC 3986 sees a difference; both are left as they are.
_RESERVED_IN_PATH = "!$&'()*+,;=:@/"
# Browsers and Scrapy's requests escape a bare apostrophe in a query (URL standard, special-query set).
_RESERVED_IN_QUERY = "!$&()*+,;=:@/?"

_PATH_WORK = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_UNRESERVED}{re.escape(_RESERVED_IN_PATH)}]+?")
_QUERY_WORK = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_UNRESERVED}{re.escape(_RESERVED_IN_QUERY)}]+?")
_UNRESERVED_CHARACTER = re.compile(rf"[{_UNRESERVED}]")


def normal_path(path: str) -> str:
    """A path of which every character is either allowed there or escaped in upper-case UTF-8."""
    return _PATH_WORK.sub(_normal, path)


def normal_query(query: str) -> str:
    """Likewise for a query or a piece of one."""
    return _QUERY_WORK.sub(_normal, query)


def _normal(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 3:  # noqa: PLR2004 - the length of an escape; all other matches are one character
        character = chr(int(found[1:], 16))
        return character if _UNRESERVED_CHARACTER.match(character) else found.upper()
    return quote(found.encode("utf-8", "replace"), safe="")
