"""Directives of a page to crawlers: the robots meta tag and the `X-Robots-Tag` header.

There is no standard; the forms are those that the large search engines document. Where several tags speak to
this crawler, the strictest counts, whether they name it or everybody.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ragcrawler.services.http_time import http_date

# A page may send megabytes of it.
_MAX_CHARACTERS = 8_192
_EVERYBODY = frozenset({"", "*", "robots"})
# A comma after the day of the week belongs to the date.
_UNAVAILABLE = re.compile(r"unavailable_after\s*:\s*((?:[a-z]{3,9},)?[^,]*)", re.IGNORECASE)
_WITH_VALUE = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})


@dataclass(frozen=True, slots=True)
class RobotsDirectives:
    """The directives of all tags of a page together; those about snippets and caches mean nothing here.

    Attributes:
        noindex: do not store it; its links may be followed all the same.
        nofollow: do not follow its links.
    """

    noindex: bool = False
    nofollow: bool = False

    def __or__(self, other: "RobotsDirectives") -> "RobotsDirectives":
        return RobotsDirectives(self.noindex or other.noindex, self.nofollow or other.nofollow)


NO_DIRECTIVES = RobotsDirectives()


def meta_directives(content: str, now: datetime) -> RobotsDirectives:
    """Read the content of a meta tag that speaks to this crawler."""
    text, is_over = _without_dates(content, now)
    return _directives(text.replace(";", ",").split(","), is_over)


def header_directives(values: Iterable[str], product_token: str, now: datetime) -> RobotsDirectives:
    """Read the `X-Robots-Tag` headers of a response.

    A name and a colon before directives addresses them to one crawler, up to the next name.
    """
    found = NO_DIRECTIVES
    for value in values:
        found |= _header(value, product_token.lower(), now)
    return found


def _header(value: str, product_token: str, now: datetime) -> RobotsDirectives:
    found = NO_DIRECTIVES
    is_meant = True
    for part in _dates_apart(value[:_MAX_CHARACTERS]):
        name, colon, rest = part.partition(":")
        name = name.strip().lower()
        directive = part
        if colon and name not in _WITH_VALUE:
            is_meant = name in _EVERYBODY or name == product_token
            directive = rest
        if is_meant:
            found |= meta_directives(directive, now)
    return found


def _dates_apart(value: str) -> list[str]:
    """The parts between commas, but for the comma within a date."""
    parts: list[str] = []
    position = 0
    for match in _UNAVAILABLE.finditer(value):
        parts += value[position : match.start()].split(",")
        # The name of a crawler may stand before it.
        parts[-1] += match.group()
        position = match.end()
    return parts + value[position:].split(",")


def _without_dates(content: str, now: datetime) -> tuple[str, bool]:
    text = content[:_MAX_CHARACTERS]
    dates = [http_date(match[1]) for match in _UNAVAILABLE.finditer(text)]
    return _UNAVAILABLE.sub("", text), any(date is not None and date <= now for date in dates)


def _directives(words: Iterable[str], is_over: bool) -> RobotsDirectives:
    found = {word.strip().lower() for word in words}
    return RobotsDirectives(
        noindex=is_over or bool(found & {"noindex", "none"}),
        nofollow=bool(found & {"nofollow", "none"}),
    )
