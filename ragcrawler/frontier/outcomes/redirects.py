"""Enters what a redirect leads to."""

from collections.abc import Callable
from dataclasses import replace

from ragcrawler.frontier.admission import Admission
from ragcrawler.frontier.ledger import UrlLedger
from ragcrawler.frontier.target import ANOTHERS, Target
from ragcrawler.frontier.url_variants import Spellings
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError


class Redirects:
    """Finds the record of the URL that answered for another.

    Args:
        ledger: gets both.
        spellings: learn from a redirect to another spelling.
        admission: has the queue, and tells the observers.
        clock: of the frontier.
    """

    def __init__(
        self, ledger: UrlLedger, spellings: Spellings, admission: Admission, clock: Callable[[], float]
    ) -> None:
        self._ledger = ledger
        self._spellings = spellings
        self._admission = admission
        self._clock = clock

    def resolve(self, target: Target, answered_url: str) -> Target | None:
        """The target under the URL that answered for it; None where that is no URL that can be crawled.

        A page that somebody asks for by its own URL is left to them: they have its lease.

        Raises:
            LeaseLostError: another process has the target by now.
        """
        try:
            final_url = canonical_url(answered_url)
        except UrlError as error:
            self._ledger.skip(target.url, error.reason, target.lease)
            return None
        final = self._spellings.redirected(target, final_url)
        key = self._ledger.key(target.url)
        self._ledger.observers.answered(key, final_url)
        if key == self._ledger.key(final_url):
            self._spellings.set_reference(final_url)
        else:
            self._spellings.add_redirect(target.url, final_url)
            self._ledger.skip(target.url, "redirected", target.lease)
            self._ledger.add(final)
            final = self._admission.queue.take(final, self._clock())
            self._admission.note(final)
            if not final.lease and self._ledger.is_anothers(final.url):
                return replace(final, lease=ANOTHERS)
        return final
