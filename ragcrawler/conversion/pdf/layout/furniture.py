"""Running headers, footers and page numbers: what stands at the edge of page after page."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragcrawler.conversion.pdf.layout.columns import rows_of
from ragcrawler.conversion.pdf.layout.footnotes import starts_footnote
from ragcrawler.conversion.pdf.reading.page import Image, PageContent
from ragcrawler.conversion.pdf.reading.text.lines import Line

_EDGE = 0.13  # of the page's height, at the top and at the bottom
_FEWEST_PAGES = 2
# Left and right pages, chapters: a header need not be on all pages; on few pages a text may repeat by chance.
_SHARE_OF_PAGES = 0.3
_SHARE_OF_FEW_PAGES = 0.5
_FEW_PAGES = 10
_GAP = 0.4  # of the font size, between the boxes of two lines: about one and a half lines
# Of a row that stands on one page alone, in units of its font size or shares of the page's height.
_APART = 1.0
_FAR_APART = 3.0
_OUTERMOST = 0.065
_NOT_LARGER = 1.05  # times running text
_SMALLER = 0.92
_LONGEST = 90  # characters
_NOTE_MARKS = "*†‡§¶¹²³"
_FEWEST_ROWS = 3  # of text beside it
_REPEATED = 0.6  # of the texts at one height
_NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"[-–—|\s]*(?:p(?:age|\.)?|seite|s\.)?\s*(?:\d{1,4}|[ivxlcdm]{1,7})\s*(?:(?:/|of|von)\s*\d{1,4})?[-–—|\s]*$",
    re.IGNORECASE,
)
_Place = tuple[bool, int]


@dataclass(frozen=True, slots=True)
class CleanedPages:
    """Pages without headers and footers.

    Attributes:
        pages: in order.
        doubtful_pages: 1-based numbers of those where a line went that stands nowhere else and is no number.
    """

    pages: list[PageContent]
    doubtful_pages: list[int]


def without_furniture(pages: Sequence[PageContent], running_size: float) -> CleanedPages:
    """The pages without what stands at the edge and apart from the text, and repeats or looks as headers do.

    Args:
        pages: of a document.
        running_size: of its running text, in points.
    """
    edges = _Edges(pages, running_size)
    cleaned, doubtful = [], []
    texts = Counter(_pattern(line) for page in pages for line in page.lines)
    for page in pages:
        furniture = [line for is_top in (True, False) for line in edges.furniture(page, is_top=is_top)]
        if any(texts[_pattern(line)] == 1 and not _PAGE_NUMBER.match(line.text) for line in furniture):
            doubtful.append(page.number + 1)
        dropped = set(map(id, furniture))
        lines = tuple(line for line in page.lines if id(line) not in dropped)
        images = tuple(image for image in page.images if not edges.has_everywhere(image))
        cleaned.append(replace(page, lines=lines, images=images))
    return CleanedPages(cleaned, doubtful)


class _Edges:
    """The lines at the edges of a document's pages."""

    def __init__(self, pages: Sequence[PageContent], running_size: float) -> None:
        self._running_size = running_size
        share = _SHARE_OF_PAGES if len(pages) >= _FEW_PAGES else _SHARE_OF_FEW_PAGES
        self._needed = max(_FEWEST_PAGES, share * len(pages))
        self._patterns: dict[_Place, Counter[str]] = defaultdict(Counter)
        for page in pages:
            found = {(place, _pattern(line)) for line in page.lines for place in _places(line, page)}
            for place, pattern in found:
                self._patterns[place][pattern] += 1

        self._usual = max(_FEWEST_PAGES + 1, _SHARE_OF_FEW_PAGES * len(pages))
        self._apart = Counter(
            place for page in pages for is_top in (True, False) for place in _outermost(page, is_top=is_top)
        )
        self._images = Counter(
            place for page in pages for place in {_image_place(one) for one in page.images}
        )

    def has_everywhere(self, image: Image) -> bool:
        """Whether a picture of this size stands at this place on many pages: a logo, a watermark."""
        return self._images[_image_place(image)] >= max(_FEWEST_PAGES + 1, self._needed)

    def furniture(self, page: PageContent, *, is_top: bool) -> list[Line]:
        """The lines at one edge of a page that are furniture: the outermost rows, up to a gap."""
        rows = rows_of(page.lines)
        if not is_top:
            rows.reverse()
        taken: list[Line] = []
        waiting: list[Line] = []
        for index, row in enumerate(rows):
            if not all(self._is_furniture(line, page, is_outermost=index == 0) for line in row):
                break
            waiting += row
            if index + 1 == len(rows) or _are_apart(row, rows[index + 1]):
                taken += waiting
                waiting = []
        return taken or self._lone(rows, page)

    def _lone(self, rows: Sequence[list[Line]], page: PageContent) -> list[Line]:
        """The outermost row where it is furniture by its looks or place: its text need not repeat."""
        if len(rows) <= _FEWEST_ROWS or not all(_places(line, page) for line in rows[0]):
            return []
        row = rows[0]
        text = " ".join(line.text for line in row)
        size = max(line.style.size for line in row)
        distance = _distance(row, rows[1]) / size
        is_plain = size <= self._running_size * _NOT_LARGER and not all(line.bold for line in row)
        if not is_plain or distance < _APART or len(text) > _LONGEST or text.endswith("."):
            return []
        if text[0] in _NOTE_MARKS or any(starts_footnote(line, self._running_size) for line in row):
            return []
        far_out = _margin(row, page) <= _OUTERMOST
        is_small = size <= self._running_size * _SMALLER
        has_number = bool(re.search(rf"(?:^|\s){page.number + 1}(?:$|\s*(?:/|of)\s*\d+$)", text))
        is_usual = all(
            any(self._apart[place] >= self._usual for place in _places(line, page)) for line in row
        )
        if has_number or is_small or is_usual or (far_out and distance >= _FAR_APART):
            return list(row)
        return []

    def _is_furniture(self, line: Line, page: PageContent, *, is_outermost: bool) -> bool:
        places = _places(line, page)
        pattern = _pattern(line)
        if any(self._patterns[place][pattern] >= self._needed for place in places):
            return True
        is_number = bool(places and _PAGE_NUMBER.match(line.text))
        return is_outermost and (is_number or any(map(self._is_for_furniture, places)))

    def _is_for_furniture(self, place: _Place) -> bool:
        """A height at which most texts come again: the chapters' names; running text does not repeat."""
        counts = self._patterns[place]
        repeated = sum(count for count in counts.values() if count > 1)
        return sum(counts.values()) >= self._needed and repeated >= _REPEATED * sum(counts.values())


def _outermost(page: PageContent, *, is_top: bool) -> set[_Place]:
    """The heights of the row at an edge where it stands apart from the text: the place of a header."""
    rows = rows_of(page.lines)
    row, other = (rows[:2] if is_top else rows[:-3:-1]) if len(rows) > 1 else ([], [])
    if not row or _distance(row, other) < _APART * max(line.style.size for line in row):
        return set()
    return {place for line in row for place in _places(line, page)}


def _image_place(image: Image) -> tuple[int, ...]:
    return (image.pixels, *(round(edge) for edge in image.box))


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


def _are_apart(row: Sequence[Line], other: Sequence[Line]) -> bool:
    """Whether two rows are farther apart than the lines of a paragraph."""
    return _distance(row, other) >= _GAP * max(line.style.size for line in row)


def _distance(row: Sequence[Line], other: Sequence[Line]) -> float:
    """Points between two rows, one above the other."""
    upper, lower = sorted((row, other), key=lambda lines: lines[0].box.top)
    return min(line.box.top for line in lower) - max(line.box.bottom for line in upper)


def _margin(row: Sequence[Line], page: PageContent) -> float:
    """How far a row is from the nearer edge, as a share of the page's height."""
    top = min(line.box.top for line in row)
    return min(top, page.height - max(line.box.bottom for line in row)) / page.height
