"""Pages that are pictures of text."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ragcrawler.conversion.pdf.reading.page import PageContent

_LARGE = 0.3  # of the page's area
_FEW_CHARACTERS = 20  # a stamp or a page number over a scan


def scanned_pages(pages: Iterable[PageContent]) -> list[int]:
    """1-based numbers of the pages that show a large picture and hardly any text."""
    return [page.number + 1 for page in pages if _is_scanned(page)]


def scanned_warning(numbers: Sequence[int]) -> tuple[str, ...]:
    """One sentence that names the pages, none where there are none."""
    if not numbers:
        return ()
    return (f"scanned pages without text, left out for want of OCR: {page_ranges(numbers)}",)


def _is_scanned(page: PageContent) -> bool:
    if sum(len(line.text) for line in page.lines) > _FEW_CHARACTERS:
        return False
    largest = max((image.box.width * image.box.height for image in page.images), default=0.0)
    return largest >= _LARGE * page.width * page.height


def page_ranges(numbers: Sequence[int]) -> str:
    """`1-3, 7` for 1, 2, 3, 7."""
    starts = [numbers[0]] + [other for one, other in pairwise(numbers) if other != one + 1]
    ends = [one for one, other in pairwise(numbers) if other != one + 1] + [numbers[-1]]
    runs = zip(starts, ends, strict=True)
    return ", ".join(str(start) if start == end else f"{start}-{end}" for start, end in runs)
