"""Text that is no Markdown, written so that Markdown shows it as it is."""

import re

# Only where a reader would see something else: `a * b`, `snake_case` and `1 < 2` stay as they are.
_INLINE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])"  # a backslash that would escape its neighbour
    r"|[*`]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # within a word an underscore is literal
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#?\w{1,32};)"
    r"|\[(?=[^\]]*\][(\[:])"
    r"|~(?=~)"
)
_LONE_STAR = re.compile(r"(?<=\s)\\\*(?=\s)")
_BLOCK = re.compile(r"^(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|(?:-{3,}|={3,}|~{3,})\s*$)")
_NUMBERED = re.compile(r"^(\d{1,9})(?=[.)](?:\s|$))")


def escape_inline(text: str) -> str:
    """Escape what would begin emphasis, code, a link, an entity or a tag in running text."""
    return _LONE_STAR.sub("*", _INLINE.sub(r"\\\g<0>", text))


def escape_block_start(text: str) -> str:
    """Escape what would make a heading, quote, list or rule of a paragraph's first characters."""
    return _NUMBERED.sub(r"\1\\", _BLOCK.sub(r"\\", text))


def escape_cell(text: str) -> str:
    """A table cell is one line, and a bar would end it."""
    return " ".join(text.split()).replace("|", "\\|")


def fence(code: str, language: str = "") -> str:
    """A code block whose fence is longer than any run of backticks at a line's start within it."""
    runs = (len(run) for run in re.findall(r"^\s*(`{3,})", code, re.MULTILINE))
    marks = "`" * max(3, max(runs, default=0) + 1)
    return f"{marks}{language}\n{code}\n{marks}"
