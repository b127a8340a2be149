"""The elements of a parsed document."""

from dataclasses import dataclass, field
from enum import Enum

from ragcrawler.chunking.parsing.source import SourceText


class ElementType(Enum):
    """The kinds of Markdown block."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    TABLE = "table"
    BULLET_LIST = "bullet_list"
    ORDERED_LIST = "ordered_list"
    LIST_ITEM = "list_item"
    CODE = "code"
    INDENTED_CODE = "indented_code"
    QUOTE = "quote"
    HTML = "html"
    IMAGE = "image"
    DEFINITION_LIST = "definition_list"
    FOOTNOTE = "footnote"
    FRONT_MATTER = "front_matter"
    MATH = "math"
    THEMATIC_BREAK = "thematic_break"
    LINK_DEFINITION = "link_definition"


@dataclass(slots=True)
class MarkdownElement:
    """A block of the document, from its first line up to, not including, `line_end`.

    Attributes:
        type: its kind.
        source: the text the line numbers belong to.
        level: 1 to 6 for a heading, else 0.
        line_start: 0-based first line.
        line_end: the line behind its last; blank lines at its end are left out.
        metadata: what the kind adds: `text` of a heading; `language`, `fence` and `closed` of code; `task`
            ("done", "open") of a list item.
        children: the blocks inside it, in order; they need not cover all of its lines.
    """

    type: ElementType
    source: SourceText = field(repr=False)
    line_start: int
    line_end: int
    level: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    children: list["MarkdownElement"] = field(default_factory=list)

    @property
    def start(self) -> int:
        """Offset of its first character."""
        return self.source.offset(self.line_start)

    @property
    def end(self) -> int:
        """Offset behind its last character, the line end included."""
        return self.source.offset(self.line_end)

    @property
    def content(self) -> str:
        """The Markdown as it stands in the document."""
        return self.source.text[self.start : self.end]
