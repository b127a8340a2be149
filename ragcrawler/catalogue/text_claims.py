"""Which page holds a text while a crawl goes on: of several with one text, one is stored."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ragcrawler.catalogue.record import DocumentRecord
from ragcrawler.items import Document

GROUP_DIGITS = 16


class TextHolder(NamedTuple):
    """The document that holds a text.

    Attributes:
        document_id: its id.
        url: where it was found.
    """

    document_id: str
    url: str


class NearMatch(NamedTuple):
    """A document whose text is nearly the same.

    Attributes:
        document_id: its id.
        url: where this crawl has read it; "" where it has not.
        record: the catalogue's; None where it has none.
    """

    document_id: str
    url: str
    record: DocumentRecord | None


@dataclass(frozen=True, slots=True)
class TextMatches:
    """What is known of a text that was just read.

    Attributes:
        own: the record of the document that has it.
        former: the record of the document that its URL was an alias of.
        holder: of this very text in this crawl; None where there is none.
        copy: the record of the oldest document with this very text, unless that is the document itself, or
            this crawl has read it: it then holds what it says by now.
        near: documents that say nearly the same, most similar first.
        version: of the group of texts that may be duplicates of each other; it grows with each claim.
    """

    own: DocumentRecord | None = None
    former: DocumentRecord | None = None
    holder: TextHolder | None = None
    copy: DocumentRecord | None = None
    near: tuple[NearMatch, ...] = ()
    version: int = 0


class TextClaims(Protocol):
    """Who holds which text, for all processes of a crawl.

    A decision is made in two steps, so that nothing is locked while it is thought about: `look`, then
    `claim`, which fails where somebody else has claimed a text of the same group in between.

    Every method raises `CatalogueError` where the catalogue cannot be used.
    """

    def look(self, document: Document) -> TextMatches:
        """What is known of the text of a document."""

    def claim(self, document: Document, holder: TextHolder, version: int) -> bool:
        """Enter who holds the text of a document: itself, or another one, of which it is a duplicate.

        Returns:
            False where the version is not that of the group any more: look again.
        """

    def end(self) -> None:
        """Forget the claims of the crawl."""


def group_of(document: Document) -> str:
    """What only texts have in common of which one may be a duplicate of the other."""
    return document.near_hash[:GROUP_DIGITS] or document.content_hash
