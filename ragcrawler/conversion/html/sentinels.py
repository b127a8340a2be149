"""Characters that mark places in Markdown under construction.

Unicode sets these noncharacters aside for use inside a program; parsing takes them out of the page first, so
that none of them can come from outside.
"""

import re

ANCHOR_BEGIN = "\ufdd0"
ANCHOR_END = "\ufdd1"
LINE_BREAK = "\ufdd2"

_ANCHOR = re.compile(f"{ANCHOR_BEGIN}(\\d+){ANCHOR_END}")


def anchor_mark(index: int) -> str:
    """A mark for the anchor of that index; it is taken out again by `take_anchors`."""
    return f"{ANCHOR_BEGIN}{index}{ANCHOR_END}"


def take_anchors(markdown: str) -> tuple[str, list[tuple[int, int]]]:
    """The Markdown without its marks, and (0-based line, index) of each mark in order."""
    if ANCHOR_BEGIN not in markdown:
        return markdown, []
    found: list[tuple[int, int]] = []
    lines = markdown.split("\n")
    for number, line in enumerate(lines):
        if ANCHOR_BEGIN in line:
            found.extend((number, int(index)) for index in _ANCHOR.findall(line))
            lines[number] = _ANCHOR.sub("", line)
    return "\n".join(lines), found
