"""The outline (bookmarks) of a document: the surest sign of what is a heading."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.conversion.pdf.reading.text.lines import Line

_DEEPEST_LEVEL = 6
_MOST_ENTRIES = 20_000
_MOST_LINES = 4  # of one heading
_NOT_A_LETTER = re.compile(r"[\W_]+")
# what stands before a title on the page, though not in the outline
_NUMBER_BEFORE = re.compile(
    r"(?:chapter|section|part|appendix|kapitel|anhang|teil)?(?:[\divxlc]*[a-z]?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)


@dataclass(frozen=True, slots=True)
class PdfOutlineEntry:
    """One bookmark.

    Attributes:
        title: as it says.
        level: 1 to 6.
        page: 0-based number of the page it leads to.
        height: y on that page in PDF coordinates (upwards), None where it does not say.
    """

    title: str
    level: int
    page: int
    height: float | None = None


@dataclass(frozen=True, slots=True)
class OutlineMatch:
    """The lines `start` to `end`, half-open, are a heading of `level`."""

    start: int
    end: int
    level: int


def read_outline(document: Any) -> list[PdfOutlineEntry]:
    """The bookmarks that lead to a page."""
    entries = []
    for count, bookmark in enumerate(document.get_toc(max_depth=_DEEPEST_LEVEL)):
        if count >= _MOST_ENTRIES:
            break
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        if page is not None:
            _, view = destination.get_view()
            height = view[1] if len(view) > 1 else None
            title = " ".join(bookmark.get_title().split())
            entries.append(PdfOutlineEntry(title, min(bookmark.level + 1, _DEEPEST_LEVEL), page, height))
    return entries


def match_outline(
    lines: Sequence[Line], entries: Iterable[PdfOutlineEntry], page_height: float
) -> list[OutlineMatch]:
    """Find the lines of one page that the outline's entries for it name."""
    matches: list[OutlineMatch] = []
    taken: set[int] = set()
    texts = [_letters(line.text) for line in lines]
    for entry in entries:
        candidates = _candidates(lines, texts, entry)
        found = [match for match in candidates if taken.isdisjoint(range(match.start, match.end))]
        if found:
            best = min(found, key=lambda match: _badness(lines[match.start : match.end], entry, page_height))
            taken.update(range(best.start, best.end))
            matches.append(best)
    return matches


def _candidates(
    lines: Sequence[Line], texts: Sequence[str], entry: PdfOutlineEntry
) -> Iterator[OutlineMatch]:
    title = _letters(entry.title)
    if not title:
        return
    for start in range(len(lines)):
        text = ""
        for end in range(start + 1, min(start + _MOST_LINES, len(lines)) + 1):
            text += texts[end - 1]
            if _names(text, title) and _are_alike(lines[start:end]):
                yield OutlineMatch(start, end, entry.level)
            if len(text) >= len(title) + 20:
                break


def _names(text: str, title: str) -> bool:
    return text.endswith(title) and bool(_NUMBER_BEFORE.fullmatch(text[: len(text) - len(title)]))


def _are_alike(lines: Sequence[Line]) -> bool:
    """Not the end of a listing and the heading behind it."""
    return len({(line.mono, line.page) for line in lines}) == 1


def _letters(text: str) -> str:
    return _NOT_A_LETTER.sub("", text).casefold()


def _badness(lines: Sequence[Line], entry: PdfOutlineEntry, page_height: float) -> tuple[float, int, float]:
    """Small type first of all, then a number left out, then the distance from where the entry leads to."""
    top = lines[0].box.top
    aim = page_height - entry.height if entry.height is not None else top
    return -max(line.style.size for line in lines), -len(lines), abs(top - aim)
