"""What a group of Rich Text Format says of the text in it."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Group:
    r"""The properties inside a pair of braces; a group begins with those around it.

    Attributes:
        destination: what the text is for: "" for the document, or the control word that says otherwise.
        font: number of the font.
        fallbacks: how many characters follow a `\\u` for readers that do not know it.
        is_bold: and so on: of the characters.
        is_optional: the group began with `\\*`.
    """

    destination: str = ""
    font: int = 0
    fallbacks: int = 1
    is_bold: bool = False
    is_italic: bool = False
    is_hidden: bool = False
    is_optional: bool = False


@dataclass(slots=True)
class Paragraph:
    r"""The properties of a paragraph, until `\\pard`.

    Attributes:
        outline: level of a heading from 0, None for other paragraphs.
        style: number of its style.
        is_in_table: it is a part of a cell.
        list_level: from 0.
        marker: the bullet or number before it, "" where it is no item.
    """

    outline: int | None = None
    style: int | None = None
    is_in_table: bool = False
    list_level: int = 0
    marker: str = ""


@dataclass(slots=True)
class Tables:
    """Fonts and styles that the head of a file lists.

    Attributes:
        encodings: of fonts that have one of their own.
        fixed_width: fonts of code.
        headings: level of styles that are headings, from 0.
    """

    encodings: dict[int, str] = field(default_factory=dict)
    fixed_width: set[int] = field(default_factory=set)
    headings: dict[int, int] = field(default_factory=dict)
