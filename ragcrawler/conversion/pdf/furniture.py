"""Running headers, footers and page numbers: what stands at the edge of page after page."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ragcrawler.conversion.pdf.page import PageContent
from ragcrawler.conversion.pdf.text import Line

_EDGE = 0.12  # of the page's height, at the top and at the bottom
_FEWEST_PAGES = 2
_SHARE_OF_PAGES = 0.3  # left and right pages, chapters: a header need not be on all of them
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"[-–—|\s]*(?:p(?:age|\.)?|seite|s\.)?\s*(?:\d{1,4}|[ivxlcdm]{1,7})\s*(?:(?:/|of|von)\s*\d{1,4})?[-–—|\s]*$",
    re.IGNORECASE,
)
_Place = tuple[bool, int]


def without_furniture(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages without lines that repeat, but for their numbers, at one height of the edge."""
    repeated = _repeated(pages)
    needed = max(_FEWEST_PAGES, _SHARE_OF_PAGES * len(pages))
    cleaned = []
    for page in pages:
        kept = tuple(line for line in page.lines if not _is_furniture(line, page, repeated, needed))
        cleaned.append(replace(page, lines=kept))
    return cleaned


def _repeated(pages: Iterable[PageContent]) -> dict[_Place, Counter[str]]:
    """How many pages have a text at a place; of page numbers only that they are numbers."""
    repeated: dict[_Place, Counter[str]] = defaultdict(Counter)
    for page in pages:
        found = {(place, _pattern(line)) for line in page.lines for place in _places(line, page)}
        for place, pattern in found:
            repeated[place][pattern] += 1
    return repeated


def _pattern(line: Line) -> str:
    return _NUMBER.sub("#", line.text.casefold())


def _places(line: Line, page: PageContent) -> list[_Place]:
    """The heights, in points from the nearer edge, that a line can be said to stand at."""
    if line.box.bottom <= page.height * _EDGE:
        height, is_top = line.baseline, True
    elif line.box.top >= page.height * (1 - _EDGE):
        height, is_top = page.height - line.baseline, False
    else:
        return []
    return [(is_top, round(height) + drift) for drift in (-1, 0, 1)]


def _is_furniture(line: Line, page: PageContent, repeated: dict[_Place, Counter[str]], needed: float) -> bool:
    places = _places(line, page)
    if not places:
        return False
    pattern = _pattern(line)
    count = max(repeated[place][pattern] for place in places)
    if count >= needed:
        return True
    return bool(_PAGE_NUMBER.match(line.text)) and _is_outermost(line, page, is_top=places[0][0])


def _is_outermost(line: Line, page: PageContent, *, is_top: bool) -> bool:
    """No other line stands nearer to the edge, and the line is alone at its height."""
    others = [other for other in page.lines if other is not line]
    if is_top:
        return all(other.box.top >= line.box.bottom for other in others)
    return all(other.box.bottom <= line.box.top for other in others)
