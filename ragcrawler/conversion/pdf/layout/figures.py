"""The pictures of a page that show something."""

from ragcrawler.conversion.pdf.blocks import Figure
from ragcrawler.conversion.pdf.reading.page import PageContent

_SMALLEST_SIDE = 24.0  # points; smaller is a bullet, an icon, a rule
_FEWEST_PIXELS = 32 * 32
_LARGEST = 0.8  # of the page: larger is the page itself, scanned, or its background
_MOST_FIGURES = 50  # on one page; a page with more is cut into strips or tiles


def find_figures(page: PageContent) -> list[Figure]:
    """Pictures large enough to be looked at, as they stand on the page."""
    large = [
        image
        for image in page.images
        if min(image.box.width, image.box.height) >= _SMALLEST_SIDE
        and image.pixels >= _FEWEST_PIXELS
        and image.box.width * image.box.height <= _LARGEST * page.width * page.height
    ]
    if len(large) > _MOST_FIGURES:
        return []
    return [Figure(image, page.number) for image in large]
