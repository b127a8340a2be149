"""Applies the effects of a page (its links, its counts, its status) in one transaction."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ragcrawler.frontier.target import Decision, Instead, Keep, ParsedResponse, Target
from ragcrawler.urls.links.page_links import PageLinks

if TYPE_CHECKING:
    from ragcrawler.frontier.frontier import Frontier


class PageEffects:
    """Holds the links of a page that is kept until its chunks are stored.

    They are entered in the transaction that ends the page. After a break between the two the page is open,
    and is asked for again. In memory are the links of pages in the pipelines alone.

    Args:
        frontier: that decides.
    """

    def __init__(self, frontier: "Frontier") -> None:
        self._frontier = frontier
        self._links: dict[int, tuple[Target, PageLinks]] = {}
        self._skips: dict[int, str] = {}

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Let what is decided within become durable together, with its counts."""
        with self._frontier.state.transaction():
            yield
            self._frontier.totals.save()

    def judge(self, target: Target, final: Target | None, page: ParsedResponse | None) -> Decision:
        """Decide about an answer (see `Frontier.fetched`); the links of a page to keep wait for its end."""
        with self.transaction():
            decision = self._judged(target, final, page)
            if isinstance(decision, Keep) and final is not None:
                if not self._is_same(target, final):
                    self._let_go(target)
            else:
                self._let_go(target)
                if final is not None and not self._is_same(target, final):
                    self._let_go(final)
            return decision

    def add_links(self, url: str, links: PageLinks) -> None:
        """Let the links that a later reading of a page found be followed at its end, with those it has."""
        key = self._frontier.ledger.key(url)
        if key in self._links:
            final, known = self._links[key]
            self._links[key] = (final, _joined(known, links))

    def skip_at_end(self, url: str, reason: str) -> None:
        """Let a page that goes on to the feeds end as skipped."""
        self._skips[self._frontier.ledger.key(url)] = reason

    def keep(self, url: str, counts: Mapping[str, int]) -> None:
        """The page is stored, or known to be: end it as fetched, or as `skip_at_end` said."""
        reason = self._skips.get(self._frontier.ledger.key(url), "")
        with self.ending(url, counts):
            if reason:
                self._frontier.ledger.skip(url, reason)
            else:
                self._frontier.ledger.keep(url)

    @contextmanager
    def ending(self, url: str, counts: Mapping[str, int]) -> Iterator[None]:
        """Enter the links of a page, and what its pipelines counted, with what is decided within."""
        frontier = self._frontier
        key = frontier.ledger.key(url)
        self._skips.pop(key, None)
        known = self._links.pop(key, None)
        with self.transaction():
            if known is not None:
                final, links = known
                frontier.add(links, final)
                frontier.queue.end(final)
            frontier.totals.add(counts)
            frontier.totals.save()  # first: a state that is shared writes them together with the decision
            yield

    def abandon(self, url: str) -> None:
        """The page did not come to its end: it stays open, for a later run."""
        key = self._frontier.ledger.key(url)
        self._links.pop(key, None)
        self._skips.pop(key, None)

    def _judged(self, target: Target, final: Target | None, page: ParsedResponse | None) -> Decision:
        frontier = self._frontier
        if final is None or page is None:
            return frontier.fetched(target, final, page)
        own = replace(page, links=PageLinks(canonical=page.links.canonical, feeds=page.links.feeds))
        was_accepted = not frontier.needs(final)
        decision = frontier.fetched(target, final, own)
        if isinstance(decision, Keep):
            self._links[frontier.ledger.key(final.url)] = (final, page.links)
        elif not (was_accepted or page.is_missing):
            found = frontier.add(page.links, final)
            decision = replace(decision, targets=(*decision.targets, *found))
        if isinstance(decision, Instead):
            frontier.queue.park(final.url)
        return decision

    def _is_same(self, one: Target, other: Target) -> bool:
        return one.url == other.url or self._frontier.ledger.key(one.url) == self._frontier.ledger.key(
            other.url
        )

    def _let_go(self, target: Target) -> None:
        """Nothing of it is in hand any more."""
        self._frontier.queue.end(target)
        self._frontier.queue.let_go(target)


def _joined(known: PageLinks, more: PageLinks) -> PageLinks:
    """The links of two readings of a page; where one of them may not be followed, none of the page may."""
    if known.robots.nofollow and not more.robots.nofollow:
        more = replace(more, urls=(), nofollow=(*more.urls, *more.nofollow))
    urls = dict.fromkeys((*known.urls, *more.urls))
    nofollow = (url for url in dict.fromkeys((*known.nofollow, *more.nofollow)) if url not in urls)
    return replace(known, urls=tuple(urls), nofollow=tuple(nofollow), cut=max(known.cut, more.cut))
