"""Which blocks of a page are its content: the extractor's vote, projected onto the page."""

from ragcrawler.conversion.html.blocks import Block
from ragcrawler.conversion.html.tags import HEADINGS
from ragcrawler.conversion.html.vote import Vote

_KEPT_SHARE = 0.5
_ANCHORING_WORDS = 8
_STRAY_DISTANCE = 3


def select(blocks: list[Block], vote: Vote) -> list[bool]:
    """One verdict a block: the extractor's, with headings and code restored that stand amid kept text."""
    keep = [vote.share_of(block.words) >= _KEPT_SHARE for block in blocks]
    _drop_strays(blocks, keep)
    for index, block in enumerate(blocks):
        if keep[index]:
            continue
        before, after = any(keep[max(0, index - 3) : index]), any(keep[index + 1 : index + 3])
        structural = block.element.tag in ("pre", "table")
        heading = block.element.tag in HEADINGS and any(keep[index + 1 : index + 2])
        if before and after and (structural or heading):
            keep[index] = True
    return keep


def _drop_strays(blocks: list[Block], keep: list[bool]) -> None:
    """Short blocks far outside the main run match the vote by chance."""
    anchors = [i for i, block in enumerate(blocks) if keep[i] and len(block.words) >= _ANCHORING_WORDS]
    if not anchors:
        return
    first, last = anchors[0] - _STRAY_DISTANCE, anchors[-1] + _STRAY_DISTANCE
    keep[:] = [kept and first <= index <= last for index, kept in enumerate(keep)]
