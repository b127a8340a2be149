"""Crawler traps: calendars, facets and paths that produce URLs without end."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.facets import Facets
from ragcrawler.frontier.states.protocol import Notes, key64
from ragcrawler.urls.identity import url_key

TrapReason = Literal[
    "trap_length", "trap_parameters", "trap_depth", "trap_repetition", "trap_calendar", "trap_facets"
]

# With separators: eight digits in a row are more often the number of a document.
_DATE = re.compile(
    r"(?<![0-9])(?:19|20|21)[0-9]{2}[/-](?:0?[1-9]|1[0-2])(?:[/-](?:[0-2]?[0-9]|3[01]))?(?![0-9])"
)
# `?year=2031&month=5`, `?m=203105`, `?start_date=20310501`
_DATE_PARAMETER = re.compile(
    r"(?<=[?&_-])(?:(year|yr|month|mon|week|day|date)=[0-9]{1,8}|(m)=[0-9]{6})(?=&|\Z)", re.IGNORECASE
)

_DATES = "date"


@dataclass(frozen=True, slots=True)
class TrapLimits:
    """How far a site is followed where it may be endless; 0 for no bound.

    Attributes:
        max_characters: of a URL.
        max_parameters: of a query.
        max_segments: of a path.
        max_repetitions: of one segment in a path.
        max_dates: pages whose URLs differ in a date alone.
        max_facets: URLs of one path for each value of its most varied parameter.
    """

    max_characters: int = 1000
    max_parameters: int = 10
    max_segments: int = 25
    max_repetitions: int = 3
    max_dates: int = 200
    max_facets: int = 10


class Traps:
    """Judges URLs one by one; a URL that was let through is let through again."""

    def __init__(self, limits: TrapLimits, notes: Notes) -> None:
        self._limits = limits
        self._notes = notes
        self._facets = Facets(limits.max_facets, notes)

    def refusal(self, candidate: Candidate) -> TrapReason | None:
        """Why a candidate looks like one of endlessly many, or None where it does not."""
        url = candidate.url
        if 0 < self._limits.max_characters < len(url):
            return "trap_length"
        key = url_key(url)
        parts = urlsplit(key)
        return (
            self._odd_path(parts.path) or self._odd_query(parts.query) or self._one_of_many(key, parts.query)
        )

    def _odd_path(self, path: str) -> TrapReason | None:
        segments = path.count("/")
        if 0 < self._limits.max_segments < segments:
            return "trap_depth"
        bound = self._limits.max_repetitions
        if 0 < bound < segments and max(Counter(path.split("/")[1:]).values()) > bound:
            return "trap_repetition"
        return None

    def _odd_query(self, query: str) -> TrapReason | None:
        return "trap_parameters" if 0 < self._limits.max_parameters <= query.count("&") else None

    def _one_of_many(self, key: str, query: str) -> TrapReason | None:
        template = _DATE_PARAMETER.sub(r"\1\2=#", _DATE.sub("#", key)) if self._limits.max_dates else key
        if template != key:
            return None if self._admits_date(template, key) else "trap_calendar"
        if "&" in query and self._limits.max_facets and not self._facets.admits(key, query):
            return "trap_facets"
        return None

    def _admits_date(self, template: str, key: str) -> bool:
        return self._notes.add_member(_DATES, key64(template), key64(key), self._limits.max_dates)
