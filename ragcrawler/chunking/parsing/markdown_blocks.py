"""The blocks of a Markdown text: what stands between blank lines, fenced code as one."""

import re
from dataclasses import dataclass
from hashlib import blake2b

_BETWEEN = re.compile(r"\n(?:[ \t]*\n)+")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_HEADING = re.compile(r"#{1,6} ")
_WORD = re.compile(r"\w+")
_LINKS = re.compile(r"!?\[(?:[^\[\]!]|!(?!\[)|!?\[[^\[\]]*+\]\([^()\s]*+\))*+\]\((?:<[^<>]*>|[^()\s]*)\)")


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A block.

    Attributes:
        start: offset of its first character in the text.
        end: offset behind its last.
        text: as written.
    """

    start: int
    end: int
    text: str

    @property
    def hash(self) -> str:
        """16 hexadecimal digits, the same for texts that differ in white space alone."""
        normal = " ".join(self.text.split()).encode("utf-8", "surrogatepass")
        return blake2b(normal, digest_size=8).hexdigest()

    @property
    def is_heading(self) -> bool:
        return bool(_HEADING.match(self.text))

    @property
    def is_code(self) -> bool:
        return bool(_FENCE.match(self.text))

    @property
    def words(self) -> int:
        """Words that are seen, those of links included."""
        return len(_WORD.findall(_LINKS.sub(_label, self.text)))

    @property
    def is_links(self) -> bool:
        """Whether it is made of pictures and links alone."""
        return bool(_LINKS.search(self.text)) and not _WORD.search(_LINKS.sub("", self.text))


def _label(link: re.Match[str]) -> str:
    return link.group().partition("](")[0]


def list_markdown_blocks(markdown: str) -> list[MarkdownBlock]:
    """In order; a text without any gives none."""
    ends = [found.span() for found in _BETWEEN.finditer(markdown)]
    starts = [0, *(end for _, end in ends)]
    blocks: list[MarkdownBlock] = []
    begin, is_open = None, False
    for start, end in zip(starts, [*(start for start, _ in ends), len(markdown)], strict=True):
        is_open ^= len(_FENCE.findall(markdown, start, end)) % 2 == 1
        begin = start if begin is None else begin
        if not is_open:
            if markdown[begin:end].strip():
                blocks.append(MarkdownBlock(begin, end, markdown[begin:end]))
            begin = None
    if begin is not None and markdown[begin:].strip():
        blocks.append(MarkdownBlock(begin, len(markdown), markdown[begin:]))
    return blocks
