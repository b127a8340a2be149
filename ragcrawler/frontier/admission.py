"""Admits found URLs: enters them in the ledger and applies the filters."""

from collections.abc import Iterable, Mapping

from ragcrawler.frontier.filters.junk import JUNK
from ragcrawler.frontier.filters.url_filter import UrlFilter
from ragcrawler.frontier.hosts.robots_lookup import NoRobots, RobotsLookup
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.page_limit import PlanLimit
from ragcrawler.frontier.states.totals import Count
from ragcrawler.frontier.target import Target
from ragcrawler.frontier.target_queue import TargetQueue
from ragcrawler.frontier.url_variants import Spellings


class Admission:
    """Gives the targets worth a request, of those that were found.

    Args:
        ledger: each is entered there.
        url_filter: says what a crawl leaves out.
        spellings: learns how else a page is spelled.
        plan: says what a plan leaves to the crawl.
        queue: for what is asked for.
        count: adds to a count of the crawl, by its name.

    Attributes:
        queue: gets what is asked for.
        robots: says what a crawl will not get.
    """

    def __init__(
        self,
        ledger: UrlLedger,
        url_filter: UrlFilter,
        spellings: Spellings,
        plan: PlanLimit,
        queue: TargetQueue,
        count: Count,
    ) -> None:
        self.queue = queue
        self.robots: RobotsLookup = NoRobots()
        self._ledger = ledger
        self._filter = url_filter
        self._spellings = spellings
        self._plan = plan
        self._count = count

    def new_targets(
        self, found: Iterable[Target], languages: Mapping[str, str], *, is_listed: bool
    ) -> list[Target]:
        """The new ones that no filter refuses.

        Args:
            found: in the order in which they are asked for.
            languages: that links name, by URL.
            is_listed: whether a sitemap, feed or llms.txt names them.
        """
        targets = list(found)
        self._ledger.expect(targets)
        return [
            self.ask(target)
            for target in targets
            if self._admits(target, languages.get(target.url, ""), is_listed=is_listed)
        ]

    def enter_nofollow(self, target: Target) -> None:
        """Enter a URL to which a link leads that asks not to be followed."""
        if refusal := self._filter.refusal(target.url, target.depth):
            self._enter(target, refusal)
        elif self._ledger.mark_nofollow(target):
            self.note(target)

    def ask(self, target: Target, *, again: bool = False) -> Target:
        """Queue a target; `again` where its page was asked for before."""
        self.queue.put(target, again=again)
        self.note(target)
        self._spellings.ask(target.url)
        return target

    def note(self, target: Target) -> None:
        """Tell the observers where a URL was found."""
        self._ledger.observers.found(self._ledger.key(target.url), target.parent_url, target.depth)

    def _admits(self, target: Target, language: str, *, is_listed: bool) -> bool:
        is_new = self._ledger.is_new(target)
        if not is_new and (self._plan.is_on or not self._spellings.try_out(target)):
            return False
        refusal = self._filter.refusal(target.url, target.depth, language) or self._plan_refusal(
            target, is_listed=is_listed
        )
        if self._enter(target, refusal):
            return not refusal
        # Another worker was first, perhaps with another spelling.
        return self._admits(target, language, is_listed=is_listed)

    def _enter(self, target: Target, refusal: str) -> bool:
        """Enter a URL that a filter refuses, or "" none; whether it is new."""
        is_new = self._ledger.add(target, refusal=refusal)
        if is_new and refusal == JUNK:
            self._count(f"junk/{self._filter.junk_word(target.url)}", 1)
        return is_new

    def _plan_refusal(self, target: Target, *, is_listed: bool) -> str:
        if self._plan.is_on and self.robots.forbids(target.url):
            return "robots"
        return self._plan.refusal(target, is_listed=is_listed)
