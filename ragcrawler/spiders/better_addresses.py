"""Pages that name another address as their own step back for it, if it can be had."""

from collections.abc import Callable, Iterable, Sequence

from ragcrawler.spiders.admission import Admission
from ragcrawler.spiders.claims import Claims
from ragcrawler.spiders.foresight import PLANNED
from ragcrawler.spiders.visit import Visit
from ragcrawler.spiders.waiting_pages import Waiting, WaitingPages
from ragcrawler.urls.ledger import UrlLedger
from ragcrawler.urls.links.declared_canonical import declared_canonical
from ragcrawler.urls.links.markdown_alternate import page_of_markdown_alternate

Count = Callable[[str, int], None]

CANONICAL = "canonical"
TEXT_TWIN = "text_twin"
# What was left out for these has its text in the collection, or its site does not want it there.
_SETTLED = {CANONICAL, TEXT_TWIN, PLANNED, "noindex", "unchanged", "duplicate_content", "near_duplicate"}


class BetterAddresses:
    """Decides which of two addresses of one text is kept.

    A page that steps back stays open in the ledger until its better address was answered. Then it is skipped,
    or asked for once more and kept whatever it says: nothing is lost to a wrong `rel=canonical`.

    Args:
        ledger: knows what became of each URL.
        admission: a better address must be one that would be crawled.
        claims: the pages that were taken.
        count: adds to a stat, by its name without the prefix.
    """

    def __init__(self, ledger: UrlLedger, admission: Admission, claims: Claims, count: Count) -> None:
        self._ledger = ledger
        self._admission = admission
        self._claims = claims
        self._count = count
        self._pages = WaitingPages()

    def of_page(self, visit: Visit, named: Sequence[str]) -> list[Visit] | None:
        """What to ask for instead of a page that came; None where it stands for itself.

        Args:
            visit: its URL is the one that answered.
            named: the addresses that the page gives for itself.
        """
        own = declared_canonical(visit.url, named)
        if own.doubt:
            self._count(f"canonical/{own.doubt}", 1)
        if not own.url or visit.stands_alone:
            return None
        return self._instead(visit, own.url, CANONICAL)

    def of_text_twin(self, visit: Visit) -> list[Visit] | None:
        """What to ask for instead of a Markdown file that llms.txt names; None for the file itself."""
        page = page_of_markdown_alternate(visit.url)
        return self._instead(visit, page, TEXT_TWIN) if page else None

    def settled(self, urls: Iterable[str], *, is_there: bool) -> list[Visit]:
        """What is asked for alone, now that these URLs, of one page, have come to their end."""
        visits = []
        for url in urls:
            # A page that waits comes, at this address or the better one.
            is_there = is_there or self._is_there(url) or self._pages.is_waiting(url)
            for waiting in self._pages.release(url):
                if is_there:
                    self._ledger.skipped(waiting.visit.url, waiting.reason)
                else:
                    self._count(f"{waiting.reason}/missing", 1)
                    visits.append(waiting.visit.alone())
        return visits

    def _instead(self, visit: Visit, target: str, reason: str) -> list[Visit] | None:
        if self._pages.is_waiting(visit.url):
            return []
        if self._is_there(target):
            self._ledger.skipped(visit.url, reason)
            return []
        if self._admission.refusal(target, visit.depth) or not self._pages.can_wait(visit.url, target):
            self._count(f"{reason}/refused", 1)
            return None
        if self._pages.is_waiting(target):
            self._ledger.skipped(visit.url, reason)
            return []
        is_new = self._ledger.seen(target)
        if self._ledger.fate(target) != ("open", ""):
            self._count(f"{reason}/missing", 1)
            return None
        self._pages.wait(Waiting(visit, reason), target)
        return [Visit(target, visit.depth, visit.url)] if is_new else []

    def _is_there(self, url: str) -> bool:
        if self._claims.holds(url):
            return True
        fate, reason = self._ledger.fate(url) or ("open", "")
        return fate == "fetched" or (fate == "skipped" and reason in _SETTLED)
