"""Applies the effects of a page (its links, its counts, its status) in one transaction."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ragcrawler.frontier.states.records import LeaseLostError
from ragcrawler.frontier.target import Decision, Instead, Keep, ParsedResponse, Skip, Target
from ragcrawler.urls.links.page_links import PageLinks

if TYPE_CHECKING:
    from ragcrawler.frontier.frontier import Frontier

logger = logging.getLogger(__name__)

Result = TypeVar("Result")


class PageEffects:
    """Holds the links of a page that is kept until its chunks are stored.

    They are entered in the transaction that ends the page. After a break between the two the page is open,
    and is asked for again. In memory are the links of pages in the pipelines alone.

    A page whose lease was lost, because this process stood still for too long, has no effect at all: another
    process asks for it.

    Args:
        frontier: that decides.
    """

    def __init__(self, frontier: "Frontier") -> None:
        self._frontier = frontier
        self._links: dict[int, tuple[Target, PageLinks]] = {}
        self._skips: dict[int, str] = {}

    @contextmanager
    def transaction(self, held: Target | None = None) -> Iterator[None]:
        """Let what is decided within become durable together, with its counts.

        Args:
            held: that is judged, where there is one.

        Raises:
            LeaseLostError: another process has it by now.
        """
        totals, ledger = self._frontier.totals, self._frontier.ledger
        key, lease = (ledger.key(held.url), held.lease) if held and held.lease > 0 else (0, 0)
        with totals.kept_on_error(), self._frontier.state.transaction(key, lease):
            yield
            totals.save()

    def while_held(self, target: Target, work: Callable[[], Result]) -> Result | None:
        """The result of what is decided about a target, in one transaction; None where its lease was lost."""
        try:
            with self.transaction(target):
                return work()
        except LeaseLostError:
            self.note_lost(target.url)
            return None

    def note_lost(self, url: str) -> None:
        """Another process has a page by now: nothing of it counts here."""
        self._frontier.totals.count("leases/lost", 1)
        logger.info("%s is another worker's by now: its answer is left to that one", url)

    def judge(self, target: Target, final: Target | None, page: ParsedResponse | None) -> Decision:
        """Decide about an answer (see `Frontier.fetched`); the links of a page to keep wait for its end."""
        if final is not None and self._is_in_hand(final):
            self._frontier.queue.let_go(final)  # its lease runs out, and it is asked for once more
            return Skip()
        held = final or replace(target, lease=0)  # it is decided already, or left to another
        return self.while_held(held, lambda: self._decide(target, final, page)) or Skip()

    def _decide(self, target: Target, final: Target | None, page: ParsedResponse | None) -> Decision:
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

    def lease_of(self, url: str) -> int:
        """The lease by which a page in the pipelines was asked for; 0 where nobody else can have it."""
        known = self._links.get(self._frontier.ledger.key(url))
        return known[0].lease if known else 0

    def keep(self, url: str, counts: Mapping[str, int]) -> bool:
        """The page is stored, or known to be: end it as fetched, or as `skip_at_end` said; see `end`."""
        ledger = self._frontier.ledger
        reason = self._skips.get(ledger.key(url), "")
        if reason:
            return self.end(url, counts, lambda lease: ledger.skip(url, reason, lease))
        return self.end(url, counts, lambda lease: ledger.keep(url, lease))

    def end(self, url: str, counts: Mapping[str, int], decide: Callable[[int], None]) -> bool:
        """Enter the links of a page, and what its pipelines counted, with what is decided.

        Args:
            url: of the page.
            counts: of the pipelines.
            decide: about the page, by its lease.

        Returns:
            whether the page was this process's still.
        """
        key = self._frontier.ledger.key(url)
        final, links = self._links.pop(key, (Target(url), PageLinks()))
        self._skips.pop(key, None)

        def work() -> bool:
            frontier = self._frontier
            frontier.add(links, final)
            frontier.queue.end(final)
            frontier.totals.add(counts)
            frontier.totals.save()  # first: a state that is shared writes them together with the decision
            decide(final.lease)
            return True

        return self.while_held(final, work) or False

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
            frontier.queue.park(final)
        return decision

    def _is_in_hand(self, final: Target) -> bool:
        """Whether a page of an earlier lease is in the pipelines still: it will find that this was lost."""
        return final.lease > 0 and self.lease_of(final.url) not in (0, final.lease)

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
