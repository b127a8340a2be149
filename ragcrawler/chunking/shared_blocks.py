"""Leave out of a document what most pages of its site say: banners, footers, icons that lead up."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from ragcrawler.chunking.parsing.markdown_blocks import MarkdownBlock, list_markdown_blocks
from ragcrawler.items import Anchor, SemanticChunk

_TELLING_WORDS = 8


@dataclass(frozen=True, slots=True)
class ReducedText:
    """A text without some of its blocks.

    Attributes:
        text: what is left.
        cuts: (offset in `text`, characters that were left out there) in order.
    """

    text: str
    cuts: tuple[tuple[int, int], ...] = ()

    @property
    def characters(self) -> int:
        """How many were left out."""
        return sum(length for _, length in self.cuts)

    def original_start(self, offset: int) -> int:
        """Where a character of `text` stands in the whole text."""
        return offset + sum(length for at, length in self.cuts if at <= offset)

    def original_end(self, offset: int) -> int:
        """The same for an offset behind a character."""
        return self.original_start(offset - 1) + 1 if offset else 0

    def place(self, chunk: SemanticChunk) -> SemanticChunk:
        """A chunk of `text` with its place in the whole text."""
        if not self.cuts:
            return chunk
        start = self.original_start(chunk.start)
        return replace(chunk, start=start, end=max(start, self.original_end(chunk.end)))

    def move_anchors(self, markdown: str, anchors: Sequence[Anchor]) -> tuple[Anchor, ...]:
        """The anchors by the lines of `text`; one of a block that is left out leads to what follows it.

        Args:
            markdown: the whole text.
            anchors: by its lines, in line order.
        """
        if not self.cuts:
            return tuple(anchors)
        gone: list[tuple[int, int]] = []
        line = position = removed = 0
        for at, length in self.cuts:
            start = at + removed
            line += markdown.count("\n", position, start)
            lines = markdown.count("\n", start, start + length)
            gone.append((line, lines))
            line, position, removed = line + lines, start + length, removed + length
        return tuple(Anchor(_moved(anchor.line, gone), anchor.id) for anchor in anchors)


def _moved(line: int, gone: Iterable[tuple[int, int]]) -> int:
    """A line, without the lines before it that are gone."""
    return line - sum(min(count, line - first) for first, count in gone if first < line)


def leave_out(markdown: str, shared: Collection[str]) -> ReducedText:
    """The text without blocks that the pages of its site share.

    Anywhere go blocks of eight words or more, and those of pictures and links alone; where only shared blocks
    stand before or behind, at the beginning and the end of the text, shorter ones too. A short one in the
    middle may be a label. Headings go at the end alone; code stays. A text that would have nothing left but
    headings stays whole.

    Args:
        markdown: the whole text.
        shared: hashes of blocks.
    """
    if not shared:
        return ReducedText(markdown)
    blocks = list_markdown_blocks(markdown)
    is_shared = [not block.is_code and block.hash in shared for block in blocks]
    goes = [
        known and not block.is_heading and (block.is_links or block.words >= _TELLING_WORDS)
        for block, known in zip(blocks, is_shared, strict=True)
    ]
    _add_ends(blocks, is_shared, goes)
    if all(going or block.is_heading for block, going in zip(blocks, goes, strict=True)):
        return ReducedText(markdown)
    return _without(markdown, blocks, goes)


def _add_ends(blocks: Sequence[MarkdownBlock], is_shared: Sequence[bool], goes: list[bool]) -> None:
    for index, block in enumerate(blocks):
        if not (is_shared[index] or block.is_heading):
            break
        goes[index] |= not block.is_heading
    for index in range(len(blocks) - 1, -1, -1):
        if not is_shared[index]:
            break
        goes[index] = True


def _without(markdown: str, blocks: Sequence[MarkdownBlock], goes: Sequence[bool]) -> ReducedText:
    parts: list[str] = []
    cuts: list[tuple[int, int]] = []
    kept = position = 0
    starts = [block.start for block in blocks]
    for block, going in zip(blocks, goes, strict=True):
        if not going:
            continue
        following = bisect_right(starts, block.start)
        end = starts[following] if following < len(starts) else len(markdown)
        parts.append(markdown[position : block.start])
        kept += block.start - position
        cuts.append((kept, end - block.start))
        position = end
    return ReducedText("".join([*parts, markdown[position:]]), tuple(cuts))
