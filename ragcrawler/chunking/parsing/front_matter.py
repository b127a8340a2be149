"""The YAML in front of a document: it speaks about the text and is none of it."""

import re

from ragcrawler.chunking.parsing.source import SourceText

_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_YAML_LINE = re.compile(r"[\w.\"'-]+[ \t]*:(?:\s|$)|[ \t]+\S|-[ \t]|#|[ \t]*$|[\]}]")
_TITLE = re.compile(r"^title[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE | re.IGNORECASE)


def front_matter_lines(source: SourceText) -> int:
    """How many lines at the beginning are front matter; 0 where what looks like it is a rule and text."""
    match = _FRONT_MATTER.match(source.text, source.offset(0))
    if match is None or not (match[1] or "").strip():
        return 0
    lines = match[1].splitlines()
    if ":" not in lines[0] or not all(_YAML_LINE.match(line) for line in lines):
        return 0
    return source.line_at(match.end() - 1) + 1


def front_matter_title(source: SourceText) -> str:
    """The title that the front matter gives, "" where there is none."""
    match = _TITLE.search(source.lines(0, front_matter_lines(source)))
    return match[1].strip("\"'") if match else ""
