"""Summaries for what a collection holds already, without a crawl."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from ragcrawler.llm.calls.usage import Usage
from ragcrawler.run.summaries.stored_documents import StoredDocuments
from ragcrawler.run.summaries.summarizer import Summarised, Summarizer


@dataclass(slots=True)
class CollectionSums:
    """The summaries of a collection, in numbers.

    Attributes:
        documents: looked at.
        made: summaries by calls of now.
        known: that the ledger had.
        failed: calls that brought nothing.
        missing: that were not asked for.
        written: chunks that changed in the collection.
        usage: of the calls of now.
        micro_dollars: their cost.
        errors: messages of failed calls, each once.
    """

    documents: int = 0
    made: int = 0
    known: int = 0
    failed: int = 0
    missing: int = 0
    written: int = 0
    usage: Usage = field(default_factory=Usage)
    micro_dollars: int = 0
    errors: tuple[str, ...] = ()

    def add(self, done: Summarised) -> None:
        """Count a document."""
        self.documents += 1
        self.made += done.made
        self.known += done.known
        self.failed += done.failed
        self.missing += done.missing
        self.usage += done.usage
        self.micro_dollars += done.micro_dollars
        self.errors = tuple(dict.fromkeys((*self.errors, *map(str, done.errors))))


class Allowance:
    """Lets so many calls through.

    Args:
        calls: at most; None for any number.
    """

    def __init__(self, calls: int | None) -> None:
        self._left = calls

    def __call__(self) -> bool:
        """Whether one more call may be made; a yes counts as one."""
        if self._left is None:
            return True
        is_left = self._left > 0
        self._left -= is_left
        return is_left


async def summarise_collection(
    documents: StoredDocuments,
    summarizer: Summarizer,
    *,
    side_by_side: int,
    on_progress: Callable[[CollectionSums], None] = lambda _: None,
) -> CollectionSums:
    """Give all stored passages their summaries; what the ledger knows costs nothing.

    Some documents are worked on at once, then written. Who interrupts it loses no answer: those that were
    paid for are in the ledger.

    Args:
        documents: of the collection.
        summarizer: asks for the summaries.
        side_by_side: documents at once.
        on_progress: called with the sums after each writing.

    Raises:
        StoreError: the store cannot be read or written.
        CatalogueError: the catalogue cannot be read or written.
        EmbeddingError: a text cannot be embedded.
    """
    sums = CollectionSums()
    waiting = documents.unsummarised()
    while group := list(islice(waiting, side_by_side)):
        done = await asyncio.gather(*(summarizer.summarise(stored.bare) for stored in group))
        for each in done:
            sums.add(each)
        sums.written += documents.write(
            [(stored, each.document) for stored, each in zip(group, done, strict=True)]
        )
        on_progress(sums)
    return sums
