"""Bound the attributes of an element: the parser compares each new one with all before it."""

import re

_MOST_ATTRIBUTES = 256
# A tag with more attributes is longer than this; few others are. Tags inside of programs are none.
_TAG = re.compile(
    rf"<(?:(script|style)\b|[a-z][\w:-]*+(?=(?:[^<>\"']|\"[^\"]*+\"|'[^']*+'){{{_MOST_ATTRIBUTES * 2}}}))",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"[\s/]*+[^\s>][^\s=>]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]++)?+)?+")
_PROGRAM_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}


def cap_attributes(text: str) -> str:
    """The page with the first 256 attributes of each element, in time linear in its length."""
    kept: list[str] = []
    begin = position = 0
    while tag := _TAG.search(text, position):
        last, position = _measure(text, tag.end())
        if last < position:
            kept.append(text[begin:last])
            begin = position
        if tag.group(1):
            end = _PROGRAM_ENDS[tag.group(1).lower()].search(text, position)
            position = end.start() if end else len(text)
    return "".join([*kept, text[begin:]]) if kept else text


def _measure(text: str, position: int) -> tuple[int, int]:
    """Where the 256th attribute ends, and where the last one does."""
    last, count = position, 0
    while attribute := _ATTRIBUTE.match(text, position):
        position = attribute.end()
        count += 1
        if count <= _MOST_ATTRIBUTES:
            last = position
    return last, position
