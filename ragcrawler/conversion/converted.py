"""The result of a conversion."""

from dataclasses import dataclass

from ragcrawler.items import Anchor, Metadata


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that was inside the document.

    Attributes:
        name: file name under which the Markdown refers to it.
        media_type: `image/png`, say.
        data: its bytes.
    """

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Converted:
    """A document as Markdown.

    Attributes:
        title: the title, "" where none was found.
        markdown: the text; it ends with one newline.
        metadata: what the document says of itself and how it was converted.
        anchors: the places a URL fragment can name, in line order.
        links: absolute URLs of the document's links, in order, without duplicates (for formats the spider
            cannot read links from by itself; () for HTML).
        pictures: the images taken out of a PDF or Office file.
        first_line: 0-based line of the source that the Markdown begins with; None where the lines of the
            Markdown are not those of the source.
    """

    title: str
    markdown: str
    metadata: Metadata
    anchors: tuple[Anchor, ...] = ()
    links: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    first_line: int | None = None
