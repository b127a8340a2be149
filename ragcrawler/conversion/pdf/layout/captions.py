"""Which lines name a picture."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ragcrawler.conversion.pdf.blocks import Block, Figure, Paragraph

_CAPTION = re.compile(r"(?:figure|fig\.|image|picture|plate|abb\.|abbildung|bild)\s*[\dA-Z]", re.IGNORECASE)


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
