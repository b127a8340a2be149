"""Text that stands twice on a page, for two widths of screen, say."""

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.vote import Vote
from ragcrawler.conversion.html.tags import HEADINGS

_TELLING_WORDS = 8
_REPEATABLE = frozenset(("pre", "table", *HEADINGS))


def mark_duplicates(blocks: list[Block], keep: list[bool], vote: Vote) -> None:
    """Drop every further copy of a paragraph, unless the extractor has it as often; code and tables stay.

    A heading that repeats goes with the copy that follows it.
    """
    seen: dict[str, int] = {}
    dropped: set[int] = set()
    texts = [" ".join(block.words) for block in blocks]
    for index, block in enumerate(blocks):
        if not keep[index] or len(block.words) < _TELLING_WORDS or block.element.tag in _REPEATABLE:
            continue
        times = seen[texts[index]] = seen.get(texts[index], 0) + 1
        if times > 1 and vote.times(texts[index]) < times:
            dropped.add(index)
    titles: set[str] = set()
    for index, block in enumerate(blocks):
        if keep[index] and block.element.tag in HEADINGS:
            if texts[index] in titles and index + 1 in dropped:
                dropped.add(index)
            titles.add(texts[index])
    for index in dropped:
        keep[index] = False
