"""Restore blocks of an article that trafilatura dropped out of its middle."""

from lxml import html

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.tags import HEADINGS

_STRUCTURE = frozenset(("table", "blockquote", "dl", "figure", "details", "ul", "ol", "p", *HEADINGS))
_INTERRUPTING = ("a", "input", "form", *HEADINGS)
_MAX_LINKED = 0.5
_LONG_PARAGRAPH = 12


def fill_gaps(
    blocks: list[Block], voted: list[bool], clean: list[bool], region: html.HtmlElement
) -> list[bool]:
    """The votes, and with them what stands between the first and the last of them.

    A part between them without a single vote is a box that interrupts the text, unless it is structure that
    extractors are known to lose: tables, lists, quotations, captions, headings. Wherever they stand in the
    region, code is text, and so are footnotes and paragraphs beside voted ones, in the same parent.
    """
    keep = [a and b for a, b in zip(voted, clean, strict=True)]
    if not any(keep):
        return keep
    inside = set(region.iter())
    gaps = _Gaps(blocks, keep)
    first, last = keep.index(True), len(keep) - 1 - keep[::-1].index(True)
    for index, block in enumerate(blocks):
        if not keep[index] and clean[index] and block.element in inside:
            keep[index] = gaps.is_text(block, is_between=first < index < last)
    for index in range(len(blocks) - 2, -1, -1):
        # A heading that nobody voted for goes with the text that it stands above.
        if keep[index] and not voted[index] and blocks[index].element.tag in HEADINGS:
            keep[index] = keep[index + 1]
    return keep


class _Gaps:
    """Judges blocks that the extractor did not vote for."""

    def __init__(self, blocks: list[Block], keep: list[bool]) -> None:
        kept = [block for block, is_kept in zip(blocks, keep, strict=True) if is_kept]
        self._touched = {element for block in kept for element in block.path}
        self._parents = {block.element.getparent() for block in kept if block.element.tag == "p"}
        self._with_code: dict[html.HtmlElement, bool] = {}
        self._interrupting: dict[html.HtmlElement, bool] = {}

    def is_text(self, block: Block, *, is_between: bool) -> bool:
        """Whether a block belongs to the text, as one between the votes or outside of them."""
        if block.element.tag == "pre" or any(element.get("data-footnote") for element in block.path[:3]):
            return True
        if block.link_words > _MAX_LINKED * len(block.words):
            return False
        is_paragraph = block.element.tag == "p" and len(block.words) >= _LONG_PARAGRAPH
        if is_paragraph and block.element.getparent() in self._parents:
            return True
        part = self._part_around(block)
        if self._has(part, ("pre",), self._with_code):
            return True
        if part.tag in _STRUCTURE or block.element.tag == "table":
            return is_between
        return is_between and not self._has(part, _INTERRUPTING, self._interrupting)

    def _part_around(self, block: Block) -> html.HtmlElement:
        """The largest element around a block without a vote in it."""
        part = block.element
        for element in block.path:
            if element in self._touched:
                break
            part = element
        return part

    @staticmethod
    def _has(part: html.HtmlElement, tags: tuple[str, ...], known: dict[html.HtmlElement, bool]) -> bool:
        if part not in known:
            known[part] = next(part.iter(*tags), None) is not None
        return known[part]
