"""Join paragraphs and tables that a page or column break has divided."""

from collections.abc import Iterable
from dataclasses import replace

from ragcrawler.conversion.pdf.blocks import Block, Code, Figure, Footnote, ListItem, Paragraph, Table

_SENTENCE_END = frozenset(".!?:;")
_CLOSING = "”\"')]»"
_SAME_EDGE = 4.0  # points
_STRAIGHT = 1.0
_FEWEST_LINES = 2  # that tell how wide a column is
_NEAR_THE_EDGE = 0.25  # of the page's height


def join_continuations(blocks: Iterable[Block], page_height: float) -> list[Block]:
    """Join tables, listings and sentences with their continuation on the next page or in the next column."""
    joined: list[Block] = []
    for block in blocks:
        # these stand between a sentence and its end on the next page
        asides = Footnote | Figure
        last = next((i for i in range(len(joined) - 1, -1, -1) if not isinstance(joined[i], asides)), None)
        together = None if last is None else _together(joined[last], block, page_height)
        if last is None or together is None:
            joined.append(block)
        else:
            joined[last] = together
    return joined


def _together(last: Block, block: Block, page_height: float) -> Block | None:
    if isinstance(last, Table) and isinstance(block, Table):
        return _tables(last, block, page_height)
    if isinstance(last, Code) and isinstance(block, Code):
        return _listings(last, block)
    if isinstance(last, Paragraph | ListItem) and isinstance(block, Paragraph):
        return _sentences(last, block)
    return None


def _tables(last: Table, block: Table, page_height: float) -> Table | None:
    """The same columns at the top of the next page; a repeated header goes."""
    if block.page != last.page + 1 or len(last.edges) != len(block.edges):
        return None
    same = all(abs(one - other) < _SAME_EDGE for one, other in zip(last.edges, block.edges, strict=True))
    if not same or block.box.top > _NEAR_THE_EDGE * page_height:
        return None
    repeated = _texts(last.rows[0]) == _texts(block.rows[0])
    rows = block.rows[1:] if repeated else block.rows
    if not repeated and not rows[0][0]:  # the page cuts a row in two
        whole = tuple((*one, *other) for one, other in zip(last.rows[-1], rows[0], strict=True))
        return replace(last, rows=(*last.rows[:-1], whole, *rows[1:]), page=block.page, box=block.box)
    return replace(last, rows=(*last.rows, *rows), page=block.page, box=block.box)


def _texts(row: Iterable[Iterable[object]]) -> list[list[str]]:
    return [[getattr(line, "text", "") for line in cell] for cell in row]


def _listings(last: Code, block: Code) -> Code | None:
    if not _follows_a_break(last, block) or last.lines[0].style != block.lines[0].style:
        return None
    return replace(last, lines=(*last.lines, *block.lines))


def _sentences(last: Paragraph | ListItem, block: Paragraph) -> Block | None:
    """A sentence that has not ended, and a text that does not begin one or would not have fitted above."""
    if not _follows_a_break(last, block) or abs(last.lines[-1].style.size - block.lines[0].style.size) > 1:
        return None
    end, start = last.lines[-1].text.rstrip(_CLOSING), block.lines[0].text
    has_ended = bool(end) and end[-1] in _SENTENCE_END
    goes_on = _is_justified(last, block) if has_ended else start[0].islower() or _is_full(last, block)
    if not goes_on:
        return None
    return replace(last, lines=(*last.lines, *block.lines))


def _is_full(last: Paragraph | ListItem, block: Paragraph) -> bool:
    """Whether the next word had no room in the last line: a short line ends a paragraph or is a label."""
    begins = block.lines[0].text[0].isalpha() or len(block.lines) > 1  # a number alone is that of a page
    if len(last.lines) < _FEWEST_LINES or not begins or last.lines[-1].style != block.lines[0].style:
        return False
    right = max(line.box.x1 for line in last.lines)
    return last.lines[-1].box.x1 + block.lines[0].words[0].box.width >= right


def _is_justified(last: Paragraph | ListItem, block: Paragraph) -> bool:
    """Whether the right edge is straight down to the last line, and the text after it is not indented."""
    right = [line.box.x1 for line in last.lines]
    left = [line.box.x0 for line in block.lines]
    if len(right) <= _FEWEST_LINES or max(right[1:]) - min(right[1:]) > _STRAIGHT:
        return False
    return len(left) > 1 and abs(left[0] - left[1]) <= _STRAIGHT


def _follows_a_break(last: Paragraph | ListItem | Code, block: Paragraph | Code) -> bool:
    """Whether the second stands on the next page, or higher up in the next column."""
    one, other = last.lines[-1], block.lines[0]
    return other.page == one.page + 1 or (other.page == one.page and other.box.bottom < one.box.top)
