"""Decides about downloads that brought nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragcrawler.frontier.admission import Admission
from ragcrawler.frontier.discovery import Discovery
from ragcrawler.frontier.hosts.site_health import IncompleteSites
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.outcomes.canonicals import CanonicalResolver
from ragcrawler.frontier.scope import Scope
from ragcrawler.frontier.target import Decision, FetchFailure, Instead, Lost, Skip, Target
from ragcrawler.frontier.url_variants import Spellings


@dataclass(frozen=True, slots=True)
class FailedFetches:
    """A second chance, a skip, or a loss.

    Attributes:
        ledger: gets what became of the URL.
        admission: queues what is asked for instead.
        spellings: know another spelling.
        discovery: knows where listings are looked for.
        canonicals: know who waited for the page.
        incomplete_sites: get the site of a page whose links were not seen.
    """

    ledger: UrlLedger
    admission: Admission
    spellings: Spellings
    discovery: Discovery
    canonicals: CanonicalResolver
    incomplete_sites: IncompleteSites

    def decide(self, target: Target, failure: FetchFailure, scope: Scope) -> Decision:
        """Decide about one; where the crawl was interrupted, the URL stays open."""
        if failure.is_shutdown:
            return Skip(failure.reason)
        if target.listing is not None:
            if not failure.is_skip:
                self.incomplete_sites.add(target.url)
            # Most sites have no such file, which loses nothing.
            elsewhere = self.discovery.fallback(target.listing, scope)
            self.admission.queue.end(target)
            return Skip(failure.reason, tuple(elsewhere))
        return self._of_page(target, failure, scope)

    def _of_page(self, target: Target, failure: FetchFailure, scope: Scope) -> Decision:
        other_spelling = self.spellings.settle(target.url)
        if other_spelling and failure.is_missing:
            return Instead((self.admission.ask(replace(target, url=other_spelling), again=True),))
        self.admission.queue.end(target)
        targets, is_lost = self._end(target, failure, scope)
        again = self.canonicals.settle((target.url,), is_there=False)
        targets = [*targets, *map(self.admission.ask, again)]
        if failure.is_answer:  # a site without a start page may have a sitemap
            targets += self.discovery.of_start_page(target, failure.sitemaps, scope)
        return Lost(failure.reason, tuple(targets)) if is_lost else Skip(failure.reason, tuple(targets))

    def _end(self, target: Target, failure: FetchFailure, scope: Scope) -> tuple[Sequence[Target], bool]:
        """Enter what became of the URL: what is asked for instead, and whether the page is lost."""
        fallback_url = "" if target.depth else scope.fallback_url(target.url)
        if failure.is_skip:
            self.ledger.skip(target.url, failure.reason, target.lease)
        elif fallback_url and self.ledger.add(Target(fallback_url)):
            self.ledger.skip(target.url, "no_https", target.lease)
            return [self.admission.ask(Target(fallback_url))], False
        else:
            self.incomplete_sites.add(target.url)
            self.ledger.fail(target.url, failure.reason, target.lease)
            return [], True
        return [], False
