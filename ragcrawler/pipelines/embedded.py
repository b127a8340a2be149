"""The item between the embedding stage and the store."""

from dataclasses import dataclass

from ragcrawler.items import Document


@dataclass(frozen=True, slots=True)
class Embedded:
    """A document whose chunks can be stored.

    Attributes:
        document: with all chunks: with vectors where they are new, without where the store has them.
        lost: ids of the chunks that have vectors in neither place.
        error: what kept them from it; None where the crawl was interrupted.
    """

    document: Document
    lost: frozenset[str] = frozenset()
    error: BaseException | None = None

    @property
    def id(self) -> str:
        """The document's id: what is dropped here is entered under it."""
        return self.document.id

    @property
    def url(self) -> str:
        return self.document.url
