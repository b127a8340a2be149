"""The marks of the containers in front of a line: indentation, quote marks, list markers."""

import re

_CONTAINER_MARKS = re.compile(r"(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*")
_MARKER = re.compile(r"[^\s>]")


def container_marks(line: str, before: str = "") -> str:
    """The prefix in front of a line's own text; with `before`, only up to its first occurrence."""
    marks = _CONTAINER_MARKS.match(line)
    length = marks.end() if marks else 0
    if before:
        at = line.find(before)
        length = at if at >= 0 else length
    return line[:length]


def continued(marks: str) -> str:
    """The marks as they stand on the next line of the same containers: list markers become spaces."""
    return _MARKER.sub(" ", marks)
