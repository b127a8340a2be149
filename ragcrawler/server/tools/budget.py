"""Answers within a budget of tokens."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ragcrawler.server.tools.results import ToolResult
from ragcrawler.server.tools.tokens import count_tokens, fitting_length, is_over

Item = TypeVar("Item")
ResultT = TypeVar("ResultT", bound=ToolResult)

_LABEL_CHARACTERS = 120
_LEAST_TEXT_TOKENS = 40  # less than this of a passage tells nothing
_ENVELOPE_TOKENS = 24


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


def fit_text(text: str, make: Callable[[str], ResultT], max_tokens: int) -> tuple[ResultT, int]:
    """The answer with as much of the text as the budget holds, and how many characters these are.

    JSON escapes line breaks and quotation marks, so the first guess is made smaller until it fits.
    """
    room = max_tokens - count_tokens(text_of(make(""))) - _ENVELOPE_TOKENS
    while room > 0:
        length = fitting_length(text, room)
        made = make(text[:length])
        if is_within(made, max_tokens):
            return made, length
        room = room * 9 // 10 - 1
    return make(""), 0


def has_room(result: ToolResult, max_tokens: int) -> bool:
    """Whether a part of a passage still fits beside an answer."""
    return count_tokens(text_of(result)) + _LEAST_TEXT_TOKENS + 2 * _ENVELOPE_TOKENS <= max_tokens


def label(text: str) -> str:
    """A title or heading in one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= _LABEL_CHARACTERS else f"{line[: _LABEL_CHARACTERS - 1]}…"
