"""Find the figures of a page, and their captions."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.conversion.pdf.blocks import Block, Figure, Paragraph
from ragcrawler.conversion.pdf.reading.page import PageContent

_CAPTION = re.compile(r"(?:figure|fig\.|image|picture|plate|abb\.|abbildung|bild)\s*[\dA-Z]", re.IGNORECASE)
_SMALLEST_SIDE = 24.0  # points; smaller is a bullet, an icon, a rule
_FEWEST_PIXELS = 32 * 32
_LARGEST = 0.8  # of the page: larger is the page itself, scanned, or its background
_MOST_FIGURES = 50  # on one page; a page with more is cut into strips or tiles


def with_captions(blocks: Sequence[Block]) -> list[Block]:
    """Give each figure the paragraph below or above it that begins as a caption does."""
    named = list(blocks)
    for index, block in enumerate(blocks):
        if isinstance(block, Figure):
            for neighbour in (*blocks[index + 1 : index + 2], *blocks[max(index - 1, 0) : index]):
                if isinstance(neighbour, Paragraph) and _CAPTION.match(neighbour.lines[0].text):
                    named[index] = replace(block, caption=neighbour.lines)
                    break
    return named


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
