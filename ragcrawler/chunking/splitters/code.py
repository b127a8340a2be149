"""Code: by lines, at blank and unindented ones where there are any, every part fenced like the whole."""

from dataclasses import dataclass

from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement
from ragcrawler.chunking.sizing.budget import TokenBudget
from ragcrawler.chunking.sizing.units import Boundary, Unit
from ragcrawler.chunking.splitters.paragraph import piece_unit
from ragcrawler.chunking.splitters.prefix import container_marks, continued
from ragcrawler.chunking.splitters.protocol import Splitting
from ragcrawler.chunking.splitters.text_pieces import split_text


@dataclass(frozen=True, slots=True)
class CodeFrame:
    """The fence around each part of a code block.

    Attributes:
        marks: of the containers in front of each line.
        reopen: the opening fence with its info string.
        reclose: the closing fence.
        reopen_tokens: its tokens.
        reclose_tokens: its tokens.
    """

    marks: str = ""
    reopen: str = ""
    reclose: str = ""
    reopen_tokens: int = 0
    reclose_tokens: int = 0


def code_frame(element: MarkdownElement, budget: TokenBudget) -> CodeFrame:
    """The fences of a code block; indented code has none."""
    opening = element.source.lines(element.line_start, element.line_start + 1)
    fence = element.metadata.get("fence", "")
    marks = continued(container_marks(opening, fence))
    if not fence:
        return CodeFrame(marks)
    reopen = f"{marks}{fence}{element.metadata['language']}\n"
    reclose = f"{marks}{fence}\n"
    return CodeFrame(marks, reopen, reclose, budget.count(reopen), budget.count(reclose))


def split_code(element: MarkdownElement, splitting: Splitting) -> list[Unit]:
    """A unit a line; the fences belong to the first and the last."""
    frame = code_frame(element, splitting.budget)
    first, behind = element.line_start, element.line_end
    if element.type is ElementType.CODE:
        first += 1
        behind -= 1 if element.metadata["closed"] else 0
    units = _line_units(element, range(first, behind), frame, splitting)
    if not units:
        return [piece_unit(p, "code") for p in split_text(element.start, element.end, splitting.budget)]
    for unit in units:
        unit.kind = "code"
        unit.language = element.metadata.get("language", "")
        unit.reopen, unit.reopen_tokens = frame.reopen, frame.reopen_tokens
        unit.reclose, unit.reclose_tokens = frame.reclose, frame.reclose_tokens
    _give_own_fences(element, units, splitting.budget)
    return units


def _line_units(element: MarkdownElement, lines: range, frame: CodeFrame, splitting: Splitting) -> list[Unit]:
    source = element.source
    budget = splitting.budget.without(frame.reopen_tokens + frame.reclose_tokens)
    units: list[Unit] = []
    after_blank = False
    for line in lines:
        start, end = source.offset(line), source.offset(line + 1)
        text = source.text[start:end]
        bare = text[len(frame.marks) :]
        if not bare.strip():
            after_blank = True
            continue
        boundary = _line_boundary(bare, after_blank=after_blank)
        tokens = budget.map.count(start, end)
        if tokens <= budget.limit:
            units.append(Unit(start, end, tokens, boundary=boundary))
        else:
            units += [piece_unit(piece) for piece in split_text(start, end, budget)]
        after_blank = False
    return units


def _line_boundary(line: str, *, after_blank: bool) -> Boundary:
    """Best in front of a new block; worst within one, or in front of what closes it."""
    indented = line[0] in " \t"
    if after_blank:
        return Boundary.TOP_LINE if indented else Boundary.BLANK_LINE
    return Boundary.LINE if indented or line[0] in "})]" else Boundary.TOP_LINE


def _give_own_fences(element: MarkdownElement, units: list[Unit], budget: TokenBudget) -> None:
    """The source's own opening and closing lines become part of the first and the last unit."""
    first, last = units[0], units[-1]
    first.boundary = Boundary.ELEMENT
    first.tokens += budget.map.count(element.start, first.start)
    first.start = element.start
    if first.text is None:
        # Blank lines in between weigh by their characters.
        [first.tokens] = budget.count_spans([(first.start, first.end)])
    first.reopen, first.reopen_tokens = "", 0
    if element.metadata.get("closed"):
        last.tokens += budget.map.count(last.end, element.end)
        last.end = element.end
        last.reclose, last.reclose_tokens = "", 0
