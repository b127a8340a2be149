"""What goes from the embedding stage to the store."""

from dataclasses import dataclass

from ragcrawler.items import Document


@dataclass(frozen=True, slots=True)
class Embedded:
    """A document whose chunks can be stored.

    Attributes:
        document: with the chunks that have vectors, here or in the store already.
        missing: chunks that have none.
        error: what kept them from it; None where the crawl was interrupted.
    """

    document: Document
    missing: int = 0
    error: BaseException | None = None

    @property
    def id(self) -> str:
        """The document's id: what is dropped here is entered under it."""
        return self.document.id

    @property
    def url(self) -> str:
        """The document's URL."""
        return self.document.url
