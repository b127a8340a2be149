"""Answers within a budget of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ragcrawler.server.tools.results import ToolResult
from ragcrawler.server.tools.tokens import count_tokens, fitting_length, is_over

Item = TypeVar("Item")
ResultT = TypeVar("ResultT", bound=ToolResult)

_LEAST_TEXT_TOKENS = 40  # less than this of a passage tells nothing
_LEAST_CHARACTERS = 80
_FRAME_TOKENS = 48


@dataclass(frozen=True, slots=True)
class Shape:
    """How much room an answer gives to what stands around its text.

    Attributes:
        label_characters: of a title or the headings above a passage, at most.
        has_url: whether addresses are shown, which cannot be cut.
    """

    label_characters: int
    has_url: bool = True

    def label(self, text: str) -> str:
        """A title or headings in one line, cut between words."""
        line = " ".join(text.split())
        if len(line) <= self.label_characters:
            return line
        kept = line[: max(0, self.label_characters - 1)]
        at = kept.rfind(" ", len(kept) // 2)
        return f"{kept[:at] if at > 0 else kept}…" if kept else ""

    def url(self, url: str) -> str:
        """The address, or none."""
        return url if self.has_url else ""


USUAL = Shape(120)
SHAPES = (USUAL, Shape(40), Shape(0), Shape(40, has_url=False), Shape(0, has_url=False))
"""From the usual one to that which fits into the least budget."""


def text_of(result: ToolResult) -> str:
    """The answer as the text that is sent; what is not set is left out."""
    return result.model_dump_json(exclude_none=True)


def is_within(result: ToolResult, max_tokens: int) -> bool:
    """Whether the answer keeps to the budget."""
    return not is_over(text_of(result), max_tokens)


def fit_items(
    items: Sequence[Item], make: Callable[[Sequence[Item]], ResultT], max_tokens: int
) -> tuple[ResultT, int]:
    """The answer with as many of the items as the budget holds, and how many these are."""
    low, step = 0, 1  # twice as many until it is too much, so that a long document is not written out whole
    while step <= len(items) and is_within(make(items[:step]), max_tokens):
        low, step = step, 2 * step
    high = min(step - 1, len(items))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if is_within(make(items[:middle]), max_tokens) else (low, middle - 1)
    return make(items[:low]), low


def fit_some(
    items: Sequence[Item], make: Callable[[Sequence[Item], Shape], ResultT], max_tokens: int
) -> ResultT:
    """Likewise, in the first shape in which one of them fits."""
    for shape in SHAPES:
        made, kept = fit_items(items, _shaped(make, shape), max_tokens)
        if kept:
            break
    return made


def fit_text(
    text: str, make: Callable[[str, Shape], ResultT], max_tokens: int, shapes: Sequence[Shape] = SHAPES
) -> ResultT | None:
    """The answer with as much of the text as the budget holds, in the first shape that has room for some.

    Returns:
        None where not one character fits.
    """
    found: ResultT | None = None
    for shape in shapes:
        length, made = _fit_text(text, _shaped(make, shape), max_tokens)
        found = made or found
        if made and length >= min(len(text), _LEAST_CHARACTERS):
            break
    return found


def has_room(result: ToolResult, max_tokens: int) -> bool:
    """Whether a part of a passage still fits beside an answer."""
    return count_tokens(text_of(result)) + _LEAST_TEXT_TOKENS + _FRAME_TOKENS <= max_tokens


def _shaped(make: Callable[[Item, Shape], ResultT], shape: Shape) -> Callable[[Item], ResultT]:
    return lambda shown: make(shown, shape)


def _fit_text(text: str, make: Callable[[str], ResultT], max_tokens: int) -> tuple[int, ResultT | None]:
    """JSON escapes line breaks and quotation marks, so the first guess is made smaller until it fits."""
    least = make(text[:1])
    room = max_tokens - count_tokens(text_of(least))
    if room < 0:
        return 0, None
    while room > 0:
        length = fitting_length(text, room)
        made = make(text[:length])
        if length and is_within(made, max_tokens):
            return length, made
        room = room * 9 // 10 - 1
    return len(text[:1]), least
