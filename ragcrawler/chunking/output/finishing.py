"""Drafts with their Markdown, their place in the document and their exact size."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ragcrawler.chunking.sizing.token_map import TokenMap, count_visible
from ragcrawler.chunking.sizing.tokens import TokenCounter
from ragcrawler.chunking.sizing.units import Unit, tokens_of
from ragcrawler.chunking.strategies.draft import Draft

_TAB = 4


def render(units: Sequence[Unit], text: str) -> str:
    """The units' text with what they repeat in front and behind, moved left where their item is cut off.

    Blank lines around it are taken off; the first line keeps its indentation.
    """
    begin = units[0].start
    parts = [_shift(units[0].reopen, _missing_columns(units[0], begin))]
    for index, unit in enumerate(units):
        behind = units[index + 1].start if index + 1 < len(units) else unit.end
        parts.append(_body(unit, text, behind, begin))
    last = units[-1]
    content = "".join(parts)
    if last.reclose:
        content = content.rstrip() + "\n" + _shift(last.reclose, _missing_columns(last, begin))
    return _trim(content)


def _body(unit: Unit, text: str, behind: int, begin: int) -> str:
    columns = _missing_columns(unit, begin)
    if unit.text is not None:
        return _shift(unit.text, columns) + text[unit.end : behind]
    return _shift(text[unit.start : behind], columns)


def _missing_columns(unit: Unit, begin: int) -> int:
    """The column of the innermost list item around the unit whose beginning is not in the chunk."""
    return max((column for start, column in unit.indents if start < begin), default=0)


def _shift(text: str, columns: int) -> str:
    if not columns or not text:
        return text
    return "".join(_shift_line(line, columns) for line in text.splitlines(keepends=True))


def _shift_line(line: str, columns: int) -> str:
    """The line without its first `columns` columns of white space, or as many as it has."""
    column = 0
    for index, character in enumerate(line):
        if column >= columns or character not in " \t":
            return " " * (column - columns) + line[index:]
        column += _TAB - column % _TAB if character == "\t" else 1
    return line


def _trim(content: str) -> str:
    content = content.rstrip()
    lead = len(content) - len(content.lstrip())
    return content[content.rfind("\n", 0, lead) + 1 :]


def finish(drafts: Iterable[Draft], counts: TokenMap, tokens: TokenCounter) -> list[Draft]:
    """Each draft with content, offsets and tokens; counted anew where the words' sums are not exact."""
    finished = [_render(draft, counts.text) for draft in drafts]
    if counts.exact and not any(draft.in_characters for draft in finished):
        return [replace(draft, tokens=tokens_of(draft.units)) for draft in finished]
    sizes = count_visible(tokens, [draft.content for draft in finished])
    return [replace(draft, tokens=size) for draft, size in zip(finished, sizes, strict=True)]


def _render(draft: Draft, text: str) -> Draft:
    start, end = draft.units[0].start, draft.units[-1].end
    span = text[start:end]
    return replace(
        draft,
        content=render(draft.units, text),
        start=start + len(span) - len(span.lstrip()),
        end=start + len(span.rstrip()),
    )
