"""Says to the frontier which of the stored documents a crawl of due pages asks for, and which not."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ragcrawler.catalogue import DocumentCatalogue, DueDate
from ragcrawler.frontier import Frontier
from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.run.indexing.collection import Collection
from ragcrawler.run.outcomes import NOT_DUE

_PLANNED = "revisits_planned"
_SOURCE = "catalogue"
_URLS_AT_ONCE = 1000
# Crawls start at the same minute of the day, not at the same second.
_EARLY_SECONDS = 300.0


class _Batch(NamedTuple):
    """Some URLs of the catalogue that belong to the crawl."""

    due: Sequence[str]
    not_due: Sequence[str]


async def plan_revisits(
    frontier: Frontier, collection: Collection, options: CrawlOptions, now: float
) -> None:
    """Queue what is due, and enter the other documents of the crawl's domains as not due.

    Of documents to which no crawl with these arguments led none is queued: this crawl would never come there.
    A crawl that goes on after a break has its plan already.

    Args:
        frontier: of the crawl, which has not begun.
        collection: whose documents are judged.
        options: of the crawl.
        now: seconds since 1970.

    Raises:
        CatalogueError: the catalogue cannot be read.
    """
    notes = frontier.state.notes
    if notes.get(_PLANNED, 0) is not None:
        return
    batches = await collection.with_catalogue(lambda catalogue: _batches(catalogue, options, now))
    while batch := await collection.with_catalogue(lambda _: next(batches, None)):
        with frontier.effects.transaction():
            depth = max(1, frontier.options.max_depth or 1)  # like what a listing names; its links are behind
            found = frontier.add_seeds(batch.due, _SOURCE, depth=depth)
            frontier.totals.count("revisits/due", len(found))
            frontier.totals.count("revisits/not_due", _pass_over(frontier, batch.not_due))
    with frontier.effects.transaction():
        notes.put(_PLANNED, 0, "")


def _batches(catalogue: DocumentCatalogue, options: CrawlOptions, now: float) -> Iterator[_Batch]:
    entries = _entries(catalogue, options)
    while batch := list(islice(entries, _URLS_AT_ONCE)):
        due = [entry for entry in batch if entry.due_at <= now + _EARLY_SECONDS]
        yield _Batch(
            due=[entry.url for entry in due if _leads_to(catalogue, options, entry)],
            not_due=[entry.url for entry in batch if entry.due_at > now + _EARLY_SECONDS],
        )


def _entries(catalogue: DocumentCatalogue, options: CrawlOptions) -> Iterator[DueDate]:
    for site in catalogue.sites():
        for entry in catalogue.due_dates(site):
            if options.contains is not None and options.contains(entry.url):
                yield entry


def _leads_to(catalogue: DocumentCatalogue, options: CrawlOptions, entry: DueDate) -> bool:
    if entry.is_alias:
        return False
    if catalogue.was_reached(entry.document_id, options.crawl):
        return True
    return options.starts_at_domains and catalogue.is_only_recovered(entry.document_id)


def _pass_over(frontier: Frontier, urls: Iterable[str]) -> int:
    """Enter URLs as not due, but for those that the user named; how many."""
    ledger, count = frontier.ledger, 0
    for url in urls:
        if not frontier.named.has(url) and ledger.status(url) is None:
            ledger.skip(url, NOT_DUE)
            count += 1
    return count
