"""Running headers, footers and page numbers: what stands at the edge of page after page."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.conversion.pdf.page import PageContent
from ragcrawler.conversion.pdf.text import Line

_EDGE = 0.12  # of the page's height, at the top and at the bottom
_FEWEST_PAGES = 2
_SHARE_OF_PAGES = 0.3  # left and right pages, chapters: a header need not be on all of them
_REPEATED = 0.6  # of the texts at one height
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"[-–—|\s]*(?:p(?:age|\.)?|seite|s\.)?\s*(?:\d{1,4}|[ivxlcdm]{1,7})\s*(?:(?:/|of|von)\s*\d{1,4})?[-–—|\s]*$",
    re.IGNORECASE,
)
_Place = tuple[bool, int]


def without_furniture(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages without what repeats, but for its numbers, at one height of the edge."""
    edges = _Edges(pages)
    return [
        replace(page, lines=tuple(line for line in page.lines if not edges.has_furniture(line, page)))
        for page in pages
    ]


class _Edges:
    """What stands at the edges of a document's pages."""

    def __init__(self, pages: Sequence[PageContent]) -> None:
        self._needed = max(_FEWEST_PAGES, _SHARE_OF_PAGES * len(pages))
        self._patterns: dict[_Place, Counter[str]] = defaultdict(Counter)
        for page in pages:
            found = {(place, _pattern(line)) for line in page.lines for place in _places(line, page)}
            for place, pattern in found:
                self._patterns[place][pattern] += 1

    def has_furniture(self, line: Line, page: PageContent) -> bool:
        """Whether a line of a page is furniture."""
        places = _places(line, page)
        if not places:
            return False
        pattern = _pattern(line)
        if any(self._patterns[place][pattern] >= self._needed for place in places):
            return True
        if not _is_outermost(line, page, is_top=places[0][0]):
            return False
        return bool(_PAGE_NUMBER.match(line.text)) or any(map(self._is_for_furniture, places))

    def _is_for_furniture(self, place: _Place) -> bool:
        """A height at which most texts come again: the chapters' names; running text does not repeat."""
        counts = self._patterns[place]
        repeated = sum(count for count in counts.values() if count > 1)
        return sum(counts.values()) >= self._needed and repeated >= _REPEATED * sum(counts.values())


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


def _is_outermost(line: Line, page: PageContent, *, is_top: bool) -> bool:
    """Whether no other line stands nearer to the edge."""
    middle = line.box.middle[1]
    if is_top:
        return all(other.box.bottom >= middle for other in page.lines)
    return all(other.box.top <= middle for other in page.lines)
