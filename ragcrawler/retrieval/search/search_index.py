"""The `SearchIndex` Protocol, and the documents that it takes (specification 004)."""

from collections.abc import Sequence
from typing import Any, Protocol

LooseDocument = dict[str, Any]
"""Any dict whose text stands under "content" or "text"; "id" names it where there is one."""

Scored = tuple[LooseDocument, float]


class SearchIndex(Protocol):
    """An index that a `Retriever` can combine with others."""

    def add_document(self, document: LooseDocument) -> None:
        """Make one document findable."""

    def add_documents(self, documents: list[LooseDocument]) -> None:
        """Make documents findable."""

    def search(self, query: Any, k: int = 1) -> Sequence[Scored]:
        """At most `k` documents with their scores, best first."""


def document_text(document: LooseDocument) -> str:
    """The text that is indexed.

    Raises:
        ValueError: the document has neither "content" nor "text".
    """
    for key in ("content", "text"):
        if key in document:
            return str(document[key])
    raise ValueError(f"A document needs its text under 'content' or 'text'; this one has {sorted(document)}.")
