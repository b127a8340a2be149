"""Boilerplate of a site: FireCrawl's Markdown has logo, menus and footer on each page."""

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import takewhile

from ragcrawler.chunking.parsing.markdown_blocks import list_markdown_blocks

# Boilerplate is no longer than this, at either end of a page.
_MOST_BLOCKS = 48
_LEAST_PAGES = 4
_LEAST_SHARE = 0.2
_MOST_COUNTED = 100_000
_MOST_PAGES = 1_000_000
_HEADING = re.compile(r"#{1,6} ")


class SiteBoilerplate:
    """Counts on how many different pages a block begins or ends a page, then takes those of many pages off.

    A block is text between blank lines, fenced code as one. It counts together with the one before it, seen
    from the page's end that it is at: a block of a menu stands behind another one of the menu, and a text
    that many pages say stands behind text of their own. Memory is bounded: where there are too many blocks,
    those of few pages are forgotten.
    """

    def __init__(self) -> None:
        self._pages: set[int] = set()
        self._counts: dict[int, int] = {}

    def learn(self, markdown: str) -> None:
        """Count the blocks of a page; one with the same text as another is not counted twice."""
        page = _hash(markdown)
        if page in self._pages or len(self._pages) >= _MOST_PAGES:
            return
        self._pages.add(page)
        blocks = [markdown[start:end] for start, end in _spans(markdown)]
        for step in {*_steps(blocks), *_steps(blocks[::-1], is_end=True)}:
            self._counts[step] = self._counts.get(step, 0) + 1
        if len(self._counts) > _MOST_COUNTED:
            self._forget()

    def strip(self, markdown: str) -> str:
        """The page without the boilerplate at its beginning and end; "" where it has no other."""
        spans = _spans(markdown)
        blocks = [markdown[start:end] for start, end in spans]
        first = self._leading(blocks)
        while 0 < first < len(blocks) and _HEADING.match(blocks[first - 1]):
            first -= 1  # a heading belongs to what stands under it
        rest = blocks[first:]
        last = self._leading(rest[::-1], is_end=True)
        kept = spans[first : len(spans) - last]
        return markdown[kept[0][0] : kept[-1][1]].rstrip("\n") + "\n" if kept else ""

    def _leading(self, blocks: Sequence[str], *, is_end: bool = False) -> int:
        """How many blocks at the beginning are boilerplate; `is_end` where the page comes backwards."""
        least = max(_LEAST_PAGES, len(self._pages) * _LEAST_SHARE)
        common = takewhile(lambda step: self._counts.get(step, 0) >= least, _steps(blocks, is_end=is_end))
        return sum(1 for _ in common)

    def _forget(self) -> None:
        """Drop what is far from being common, then what is rare, until there is room."""
        least = max(2, int(len(self._pages) * _LEAST_SHARE / 4))
        while len(self._counts) > _MOST_COUNTED // 2:
            self._counts = {block: count for block, count in self._counts.items() if count >= least}
            least *= 2


def _spans(markdown: str) -> list[tuple[int, int]]:
    """Where the blocks begin and end."""
    return [(block.start, block.end) for block in list_markdown_blocks(markdown)]


def _steps(blocks: Sequence[str], *, is_end: bool = False) -> Iterator[int]:
    """A hash for each of the first blocks together with the one before it."""
    before = "end" if is_end else "start"
    for block in blocks[:_MOST_BLOCKS]:
        yield _hash(f"{is_end} {before} {block}")
        before = block


def _hash(text: str) -> int:
    normal = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(normal, digest_size=8).digest(), "big")
