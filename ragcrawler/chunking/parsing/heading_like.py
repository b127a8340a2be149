"""Lines that are no headings and act as such: what follows belongs to them."""

import re

from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement

_LONGEST = 120
_BOLD = re.compile(r"\*\*[^*]+\*\*[:：]?|__[^_]+__[:：]?")
# Admonitions, tabs and fenced blocks of Markdown dialects; alone, the marks close what is open.
_OPENER = re.compile(r"(?:===[!+]?|!!!\+?|\?\?\?\+?|/{3,}|:{3,})[ \t]*[\w\"'{\[|].*")
_ANCHOR = re.compile(r"(?:<a\s[^<>]*>\s*(?:</a>\s*)?)+", re.IGNORECASE)


def acts_as_heading(element: MarkdownElement) -> bool:
    """Whether a block is one bold line, a short line with a colon at its end, or an opener."""
    if element.type is ElementType.PARAGRAPH and element.line_end - element.line_start == 1:
        line = element.content.strip()
        is_title = len(line) <= _LONGEST and (line.endswith((":", "：")) or bool(_BOLD.fullmatch(line)))
        return is_title or is_opener(line)
    return element.type is ElementType.HTML and is_opener(element.content)


def is_opener(text: str) -> bool:
    """Whether a text is nothing but an anchor, or the mark and the title of a block."""
    text = text.strip()
    return len(text) <= _LONGEST and bool(_OPENER.fullmatch(text) or _ANCHOR.fullmatch(text))
