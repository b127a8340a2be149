"""The type of a paragraph, by its inline marks."""

import re

from ragcrawler.chunking.parsing.elements import ElementType

_IMAGES_ONLY = re.compile(r"(?:\s*\[?!\[[^\]]*\]\([^()]*\)(?:\]\([^()]*\))?)+\s*")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
_DEFINITION = re.compile(r"[^\n]+\n(?:[^\n]+\n)*?[ ]{0,3}:[ \t]+\S|:[ \t]+\S")
_FORMULA = re.compile(r"\$\$|\\\[|\\begin\{")
_TASK = re.compile(r"[\s>]*(?:[-+*]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]")


def paragraph_type(inline: str) -> ElementType:
    """The kind of a paragraph with this inline text."""
    if _IMAGES_ONLY.fullmatch(inline):
        return ElementType.IMAGE
    if _FOOTNOTE.match(inline):
        return ElementType.FOOTNOTE
    if _DEFINITION.match(inline):
        return ElementType.DEFINITION_LIST
    if _FORMULA.match(inline):
        return ElementType.MATH
    return ElementType.PARAGRAPH


def task_metadata(line: str) -> dict[str, str]:
    """Whether an item is a task, and done."""
    match = _TASK.match(line)
    if match is None:
        return {}
    return {"task": "open" if match[1] == " " else "done"}
