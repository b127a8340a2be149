"""Where found URLs come in: entered in the ledger, judged, and let through or left out."""

from collections.abc import Iterable, Iterator

from ragcrawler.run.crawl_run import CrawlRun
from ragcrawler.spiders.admission import Admission
from ragcrawler.spiders.foresight import Foresight
from ragcrawler.spiders.visit import Visit
from ragcrawler.urls.links.page_links import PageLinks
from ragcrawler.urls.listings import ListedUrl
from ragcrawler.urls.spellings import Spellings


class Entrance:
    """Gives the visits worth a request, of the URLs that a page or a listing names.

    Args:
        run: whose ledger and trace learn of each URL.
        admission: says what a crawl leaves out.
        foresight: says what a plan leaves to the crawl.
        spellings: learns how else a page is spelled.
    """

    def __init__(
        self, run: CrawlRun, admission: Admission, foresight: Foresight, spellings: Spellings
    ) -> None:
        self._run = run
        self._ledger = run.ledger
        self._admission = admission
        self._foresight = foresight
        self._spellings = spellings

    def of_page(self, links: PageLinks, page: Visit) -> Iterator[Visit]:
        """The new pages that a page links to; links that ask not to be followed are only entered."""
        self._admission.see(links)
        for url in links:
            found = Visit(url, page.depth + 1, page.url)
            if self._admits(found, links.languages.get(url, ""), is_listed=False):
                yield found
        for url in links.nofollow:
            refusal = self._admission.refusal(url, page.depth + 1)
            is_new = self._ledger.seen(url) if refusal else self._ledger.passed_over(url)
            if is_new:
                self.note(Visit(url, page.depth + 1, page.url))
            if is_new and refusal:
                self._ledger.skipped(url, refusal)

    def of_listing(self, pages: Iterable[ListedUrl], listing_url: str) -> Iterator[Visit]:
        """The new pages that a listing names, each one link away from the start."""
        listed = list(pages)
        self._admission.see(page.url for page in listed)
        for page in listed:
            found = Visit(page.url, 1, listing_url)
            if self._admits(found, page.language, is_listed=True):
                yield found

    def note(self, visit: Visit) -> None:
        """Tell the trace where a URL was found."""
        if self._run.trace is not None:
            self._run.trace.found(visit.url, visit.parent_url, visit.depth)

    def _admits(self, visit: Visit, language: str, *, is_listed: bool) -> bool:
        if not self._ledger.seen(visit.url):
            self._spellings.see(visit.url)
            return False
        self.note(visit)
        refusal = self._admission.refusal(visit.url, visit.depth, language) or self._foresight.refusal(
            visit, self._run.robots, is_listed=is_listed
        )
        if refusal:
            self._ledger.skipped(visit.url, refusal)
        return not refusal
