"""Every decision about a URL of a crawl, in one object."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from ragcrawler.frontier.admission import Admission
from ragcrawler.frontier.discovery import Discovery
from ragcrawler.frontier.filters.kept_out import KEPT_OUT, KeptOut
from ragcrawler.frontier.filters.url_filter import UrlFilter
from ragcrawler.frontier.hosts.robots_lookup import RobotsLookup
from ragcrawler.frontier.hosts.site_health import IncompleteSites, SiteHealth
from ragcrawler.frontier.hosts.throttle import HostThrottle
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.named_urls import NamedUrls
from ragcrawler.frontier.options import FrontierOptions
from ragcrawler.frontier.outcomes.canonicals import CanonicalResolver
from ragcrawler.frontier.outcomes.failed_fetches import FailedFetches
from ragcrawler.frontier.outcomes.page_effects import PageEffects
from ragcrawler.frontier.outcomes.pending_canonicals import PendingCanonicals
from ragcrawler.frontier.outcomes.redirects import Redirects
from ragcrawler.frontier.outcomes.soft_404 import SoftNotFound
from ragcrawler.frontier.page_limit import AcceptedPages, PlanLimit
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.states.protocol import FrontierState, LeaseLostError, LeaseTerms, UrlCounts
from ragcrawler.frontier.states.sqlite import SqliteState
from ragcrawler.frontier.states.totals import Count, CrawlTotals
from ragcrawler.frontier.target import (
    ANOTHERS,
    Decision,
    FetchFailure,
    Instead,
    Keep,
    ParsedResponse,
    Skip,
    Target,
)
from ragcrawler.frontier.target_queue import TargetQueue
from ragcrawler.frontier.url_variants import Spellings
from ragcrawler.urls.canonical import usable_urls
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.listings import Listing

MAX_PAGES = "max_pages"


class Frontier:
    """Decides what is asked for, what is kept, and what becomes of each URL.

    Whoever fetches takes targets from `start` or `add`, says what came of each by `fetched` or `failed`, and
    asks for the targets of the decision.

    Args:
        options: scope, filters and bounds.
        state: remembers; in memory where none is given.
        count: adds to a stat, by its name without the prefix.
        clock: seconds that only grow; those since 1970 where the state outlives the process.
        leases: how this process leases targets, where others share the state.

    Attributes:
        state: all that is remembered.
        clock: as given.
        queue: what is asked for next.
        effects: what a page leads to, when it has come to its end.
        totals: counts of all runs of the crawl.
        ledger: what became of each URL.
        named: the URLs that the user named.
        throttle: how fast each host may be asked.
        health: which sites keep failing.
        incomplete_sites: of which a page could not be fetched or read: what it links to may have gone unseen.
        soft_404: recognises error pages.
        is_exhausted: nothing was left to fetch when the crawl was last idle.
    """

    def __init__(
        self,
        options: FrontierOptions | None = None,
        state: FrontierState | None = None,
        count: Count | None = None,
        clock: Callable[[], float] = time.monotonic,
        leases: LeaseTerms | None = None,
    ) -> None:
        self.options = options or FrontierOptions()
        self.state = state = state or SqliteState()
        self.clock = clock
        self.totals = CrawlTotals(state.notes, count)
        self._ended: UrlCounts | None = None
        self._spellings = Spellings(state.notes, state.urls)
        self.ledger = UrlLedger(state.urls, self._spellings.key, self._spellings.separate)
        self.queue = TargetQueue(state, self.ledger.key, leases)
        self.effects = PageEffects(self)
        self.throttle = HostThrottle(state.hosts, clock)
        self.incomplete_sites = IncompleteSites(state.notes)
        self.health = SiteHealth(state.hosts, self.options.sites)
        self.soft_404 = SoftNotFound(state.notes)
        self.is_exhausted = False
        self._filter = UrlFilter(self.options, state.notes)
        self.named = NamedUrls(self.options.named_urls, self.ledger, self._spellings)
        self._accepted = AcceptedPages(state.notes, self.ledger.key, self.options.max_pages)
        limit = PlanLimit(state.notes, self.options.plan_pages)
        self._admission = Admission(
            self.ledger, self._filter, self._spellings, limit, self.queue, self.totals.count
        )
        self._discovery = Discovery(self.options.discovery, state.notes, self.totals.count, self.queue.put)
        self._canonicals = CanonicalResolver(
            self.ledger,
            self._filter,
            self._accepted,
            PendingCanonicals(state.notes, self.ledger.key),
            self.totals.count,
        )
        self._redirects = Redirects(self.ledger, self._spellings, self._admission, clock)
        self._failed = FailedFetches(
            self.ledger,
            self._admission,
            self._spellings,
            self._discovery,
            self._canonicals,
            self.incomplete_sites,
        )

    @property
    def scope(self) -> Scope:
        """The sites that may be fetched; seeds found during the crawl may add some."""
        return self._filter.scope

    @property
    def kept_out(self) -> KeptOut:
        """What no crawl may bring; whoever opens the collection says what it keeps out."""
        return self._filter.kept_out

    @kept_out.setter
    def kept_out(self, kept_out: KeptOut) -> None:
        self._filter.kept_out = kept_out

    @property
    def robots(self) -> RobotsLookup:
        """Answers from robots.txt; whoever fetches it puts itself here."""
        return self._admission.robots

    @robots.setter
    def robots(self, robots: RobotsLookup) -> None:
        self._admission.robots = robots

    @property
    def is_full(self) -> bool:
        """Whether as many pages were kept as were asked for."""
        return self._accepted.is_full

    def start(self) -> list[Target]:
        """The URLs that the user named. Filters and depth do not apply to them, unless they are kept out."""
        return [self._admission.ask(target) for target in self.named.enter(self.kept_out)]

    def add_seeds(
        self, urls: Iterable[str], source: str = "", *, depth: int = 0, widens_scope: bool = False
    ) -> list[Target]:
        """Queue seeds that were found during the crawl: a search result, a research lead, an item's link.

        The scheduler takes them from the queue by itself.

        Args:
            urls: of any origin; what is no http(s) URL is counted as unusable.
            source: where they were found.
            depth: where their links begin to count.
            widens_scope: whether the crawl may leave its domains for the hosts of these URLs.
        """
        seeds, unusable = usable_urls(urls)
        self.totals.count("links/unusable", unusable)
        if widens_scope:
            self._filter.widen_scope(seeds)
        found = (Target(url, depth, source) for url in seeds)
        with self.state.transaction():
            targets = self._admission.new_targets(found, {}, is_listed=False)
        self.is_exhausted = self.is_exhausted and not targets
        return targets

    def add(self, links: PageLinks, source: Target) -> list[Target]:
        """The pages worth a request among the links of a page; `nofollow` ones are only entered."""
        self.totals.count("links/cut", links.cut)
        self.totals.count("links/unusable", links.unusable)
        self.totals.count("links/nofollow", len(links.nofollow))
        self._filter.learn(links)
        depth = source.depth + 1
        found = self._admission.new_targets(
            (Target(url, depth, source.url) for url in links), links.languages, is_listed=False
        )
        for url in links.nofollow:
            self._admission.enter_nofollow(Target(url, depth, source.url))
        return found

    def add_listing(self, source: Target, listing: Listing) -> list[Target]:
        """Enter the URLs of a sitemap, a feed or an llms.txt; the targets worth a request."""
        if source.listing is None:
            raise ValueError(f"{source.url} is a page: hand its links to `add`")
        targets = self._discovery.nested(listing, source.listing, self.scope)
        pages = self._discovery.select_pages(listing, source.listing)
        self._filter.learn(page.url for page in pages)
        languages = {page.url: page.language for page in pages}
        found = self._admission.new_targets(
            (Target(page.url, 1, source.url) for page in pages), languages, is_listed=True
        )
        for target in found:
            better = self._canonicals.of_markdown(target) if listing.kind == "llms_text" else None
            if better is not None:
                self.queue.park(target)
            targets += [target] if better is None else map(self._admission.ask, better)
        self.queue.end(source)
        return targets

    def while_leased(self, target: Target) -> AbstractContextManager[None]:
        """Do something only while a target is this process's.

        Raises:
            LeaseLostError: it is not, or may not be any more.
        """
        if target.lease <= 0 or not self.queue.is_shared:
            return nullcontext()
        if not self.queue.has_lease(target.lease, self.clock()):
            raise LeaseLostError(target.url)
        return self.state.transaction(self.ledger.key(target.url), target.lease)

    def resolve_redirect(self, target: Target, answered_url: str) -> Target | None:
        """The target under the URL that answered for it; None where that is no URL that can be crawled."""
        return self._redirects.resolve(target, answered_url)

    def needs(self, final: Target | None) -> bool:
        """Whether the answer has to be read: not where its page is taken or kept out, or there are enough."""
        if final is None or self.is_full or self.kept_out.covers(final.url):
            return False
        return not self._is_taken(final)

    def needs_text(self, final: Target) -> bool:
        """Whether `fetched` wants to know the hash of a page's text."""
        return not self.options.plan_pages and self._spellings.wants_text(final.url)

    def needs_sitemaps(self, page: Target) -> bool:
        """Whether `fetched` and `failed` want to know the sitemaps that robots.txt names."""
        return self._discovery.is_new(page, self.scope)

    def fetched(self, target: Target, final: Target | None, page: ParsedResponse | None) -> Decision:
        """Decide about an answer.

        Args:
            target: as it was asked for.
            final: as `resolve_redirect` gave it.
            page: what was read, None where `needs` said no.
        """
        self._spellings.settle(target.url)
        with self.state.transaction():
            decision = Skip() if final is None else self._judge(final, page)
            is_there = final is not None and final.url in self._accepted
            again = self._canonicals.settle((target.url, final.url if final else ""), is_there=is_there)
        return replace(decision, targets=(*decision.targets, *map(self._admission.ask, again)))

    def failed(self, target: Target, failure: FetchFailure) -> Decision:
        """Decide about a download that brought nothing: a second chance, a skip, or a loss."""
        with self.state.transaction():
            return self._failed.decide(target, failure, self.scope)

    def lose(self, url: str, reason: str, *, hides_links: bool, lease: int = 0) -> None:
        """Enter a page as failed; where it was not read, its site may have links that were not seen.

        Raises:
            LeaseLostError: another process has it by now.
        """
        if hides_links:
            self.incomplete_sites.add(url)
        self.ledger.fail(url, reason, lease)

    def counts(self) -> UrlCounts:
        """The state of the crawl in numbers; once it is closed, what was open counts as skipped."""
        return self._ended or self.ledger.counts()

    def close(self, reason: str, *, keeps_open: bool = False) -> UrlCounts:
        """End the crawl; open URLs are skipped for the reason, unless a later run goes on with them."""
        self.totals.count("spellings/joined", self._spellings.joined_count())
        self.named.close()
        if keeps_open:
            self.state.release_own()
            self.ledger.tell_closed(reason)
        else:
            self.ledger.close(reason)
        counts = self.ledger.counts()
        self._ended = counts.closed(reason)
        self.state.close()
        return counts

    def _judge(self, final: Target, page: ParsedResponse | None) -> Decision:
        if self._is_taken(final):
            return Skip()
        if self.kept_out.covers(final.url):
            return self._skip(final, KEPT_OUT)
        if page is None or self.is_full:
            return self._skip(final, MAX_PAGES)
        if page.is_missing:
            return self._skip(final, "soft_404")
        found = self.add(page.links, final) + self._discovery.of_page(
            final, page.sitemaps, page.links.feeds, self.scope
        )
        if page.text is not None:
            is_known, apart = self._spellings.compare(final.url, page.text)
            found += self._admission.new_targets(apart, {}, is_listed=False)
            if is_known:
                return self._skip(final, "same_text", found)
        return self._keep(final, page, tuple(found))

    def _is_taken(self, final: Target) -> bool:
        return final.lease == ANOTHERS or final.url in self._accepted

    def _keep(self, final: Target, page: ParsedResponse, found: tuple[Target, ...]) -> Decision:
        """Keep the page itself, unless it asks otherwise or is not needed."""
        if reason := "listing" if page.is_listing else "noindex" if page.noindex else "":
            return self._skip(final, reason, found)
        better = self._canonicals.of_page(final, page.links.canonical)
        if better is not None:
            return Instead((*found, *map(self._admission.ask, better)))
        acceptance = self._accepted.accept(final.url)
        if acceptance == "full":
            return self._skip(final, MAX_PAGES, found)
        return Keep(page.item, found) if acceptance == "accepted" else Skip("", found)

    def _skip(self, final: Target, reason: str, targets: Sequence[Target] = ()) -> Skip:
        self.ledger.skip(final.url, reason, final.lease)
        return Skip(reason, tuple(targets))
