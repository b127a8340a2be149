"""Text as Markdown that shows that text, with as few backslashes as that takes."""

import re

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])"  # a backslash that would escape what follows
    r"|`"
    r"|\*(?=\S)|(?<=\S)\*"  # an asterisk between spaces is no emphasis
    r"|(?<![^\W_])_+(?=\S)|(?<=\S)_+(?![^\W_])"  # nor are underscores inside a word
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?\w+;)"
    r"|~(?=~)"
    r"|\[(?=[^\[\]]*\][(\[:])"  # brackets that would make a link
)
_CANDIDATES = re.compile(r"[\\`*_<&~\[]")
_LINE_START = re.compile(r"(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|~~~|=+$|-{2,}\s*$|:(?=\s))")
_ORDERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")


def escape_text(text: str) -> str:
    """Escape what would be read as inline markup."""
    return _SPECIAL.sub(_escape, text) if _CANDIDATES.search(text) else text


def _escape(found: re.Match[str]) -> str:
    return "".join("\\" + sign for sign in found.group())


def escape_line_start(line: str) -> str:
    """Escape what would make a line of text a heading, list item, quote, rule or fence."""
    if _LINE_START.match(line):
        return "\\" + line
    return _ORDERED.sub(r"\1\\\2", line, count=1) if line[:1].isdigit() and _ORDERED.match(line) else line
