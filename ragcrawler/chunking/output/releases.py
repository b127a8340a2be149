"""Recognise the parts of a document that list the changes of releases, by versions and dates in headings.

A heading counts by its shape, for words such as "changelog" are of one language: a version, perhaps with the
name of the program before it, and a date or little else behind it. Numbers of sections ascend; releases stand
newest first or have dates.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from urllib.parse import unquote, urlsplit

_LEAST_RELEASES = 3
_VERSION = r"v?(\d+(?:\.\d+)+)(?:[-.+~]?[a-z]{1,6}[-.]?\d{0,8}){0,3}"
_DATE = (
    r"\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d{1,2}[-./]\d{1,2}[-./]\d{4}"
    r"|\d{1,2}\.?[ -][^\W\d_]{3,12}\.?,?[ -]\d{4}|[^\W\d_]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)
_DATED = re.compile(_DATE)
_RELEASE = re.compile(
    rf"(?P<name>(?:[^\W\d][\w.+-]*[ :]+){{0,3}}?)[\[(]?{_VERSION}[\])]?(?P<rest>(?:[^\w].*)?)",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_HEADING = 120
_LONGEST_FILE = 60
_MOST_WORDS_BEHIND = 3
_WORD = re.compile(r"[^\W\d_]+")
_RELEASE_FILE = re.compile(rf"(?:[a-z]+[-_]){{0,4}}{_VERSION}", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)


def release_version(heading: str) -> tuple[int, ...]:
    """The version that a heading names where it is a release's: "Version 1.2.3 (2020-01-31)"; else ()."""
    text = heading.strip()
    found = _RELEASE.fullmatch(text) if len(text) <= _LONGEST_HEADING else None
    if not found:
        return ()
    rest = found["rest"].strip()
    words = len(_WORD.findall(_DATED.sub("", rest)))
    # "2.1 Installing" is the number of a section: behind a bare number only a date or a bracket may stand.
    is_bare = not found["name"] and text[:1] not in "vV["
    most = 0 if is_bare and rest[:1] not in {"(", "[", ""} else _MOST_WORDS_BEHIND
    return _numbers(found[2]) if words <= most else ()


def release_headings(headings: Sequence[str]) -> frozenset[str]:
    """Those of a document's headings that name releases; none where they are few, or ascend without dates.

    Args:
        headings: in the order of the document.
    """
    named = [(heading, version) for heading in headings if (version := release_version(heading))]
    if len(named) < _LEAST_RELEASES:
        return frozenset()
    dated = sum(bool(_DATED.search(heading)) for heading, _ in named)
    falls = sum(after < before for (_, before), (_, after) in pairwise(named))
    is_log = 2 * dated >= len(named) or 2 * falls > len(named) - 1
    return frozenset(heading for heading, _ in named) if is_log else frozenset()


def is_release_page(url: str, names: Iterable[str]) -> bool:
    """Whether a page is about one release: its file is named by a version, and so is the page.

    Args:
        url: of the page.
        names: its title and its first heading.
    """
    last = _SUFFIX.sub("", unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2])
    found = _RELEASE_FILE.fullmatch(last) if len(last) <= _LONGEST_FILE else None
    if not found:
        return False
    version = re.compile(rf"(?<![\d.]){re.escape(found[1])}(?!\d)")
    return any(version.search(name) for name in names)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part[:9]) for part in version.split("."))
