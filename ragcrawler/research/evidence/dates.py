"""Dates in text, as years with or without month and day; years before Christ are negative."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from ragcrawler.research.evidence.plain_text import plain

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = {name[:3]: number for number, name in enumerate(MONTHS, start=1)}
_NAMES = "|".join(rf"{name[:3]}(?:{name[3:]}|t)?\.?" for name in MONTHS)
_ERA = r"(?:\s?(?P<era{0}>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?)(?![a-z]))?"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\d-])(?P<y>-?\d{4})-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>0[1-9]|[12]\d|3[01]))?(?![\d-])",
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<n>{_NAMES}),? (?P<y>\d{{1,4}})\b" + _ERA.format(""),
        rf"\b(?P<n>{_NAMES}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{1,4}})\b" + _ERA.format(""),
        rf"\b(?P<n>{_NAMES}),? (?P<y>\d{{3,4}})\b" + _ERA.format(""),
        r"\b(?P<y>\d{1,4})\s?(?P<era>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?)(?![a-z])",
        r"\bA\.?D\.? (?P<y>\d{1,4})\b",
        r"(?<![\w.,/-])(?P<y>-?\d{3,4})(?![\w/]|[.,]\d|-\d)",
    )
)


@dataclass(frozen=True, slots=True, order=True)
class PartialDate:
    """A date; month and day are 0 where the text does not say them.

    Attributes:
        year: negative before Christ: -44 is 44 BC.
        month: 1 to 12, or 0.
        day: 1 to 31, or 0.
    """

    year: int
    month: int = 0
    day: int = 0

    def __str__(self) -> str:
        year = f"{'-' if self.year < 0 else ''}{abs(self.year):04}"
        return "-".join([year, *(f"{part:02}" for part in (self.month, self.day) if part)])

    def includes(self, other: "PartialDate") -> bool:
        """Whether the other is this date, or says it more exactly."""
        return self.year == other.year and self.month in (0, other.month) and self.day in (0, other.day)


def dates(text: str) -> Iterator[PartialDate]:
    """The dates in a text; of one that is written out, its year alone does not come again."""
    taken: list[tuple[int, int]] = []
    bare = plain(text)
    for pattern in _PATTERNS:
        for match in pattern.finditer(bare):
            start, end = match.span()
            if any(left < end and start < right for left, right in taken):
                continue
            found = _date(match)
            if found is not None:
                taken.append((start, end))
                yield found


def _date(match: re.Match[str]) -> PartialDate | None:
    groups = match.groupdict()
    year = int(groups["y"])
    if (groups.get("era") or "").lower().startswith("b"):
        year = -year
    name = groups.get("n")
    month = _MONTH[name[:3].lower()] if name else int(groups.get("m") or 0)
    day = int(groups.get("d") or 0)
    return PartialDate(year, month, day) if _exists(month, day) else None


def _exists(month: int, day: int) -> bool:
    if not day:
        return True
    try:
        date(2000, month, day)  # a leap year
    except ValueError:
        return False
    return True
