"""Asks search engines the questions of a research."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ragcrawler.frontier.scope import Scope
from ragcrawler.run.search.url_discovery import UrlDiscovery
from ragcrawler.search_engines.query import SearchQuery

MOST_RESULTS = 10  # a question


class QuestionSearch:
    """Finds URLs for questions, at most ten each; the log names engines that did not answer.

    Pages that the collection has are found as well: this research has not read them.

    Args:
        discovery: asks the engines, one question after the other.
        stays_on_domains: whether only pages of the crawl's domains are found.
    """

    def __init__(self, discovery: UrlDiscovery, *, stays_on_domains: bool) -> None:
        refusals = discovery.refusals
        if not stays_on_domains:
            refusals = replace(refusals, scope=Scope(()))
        self._discovery = replace(discovery, refusals=refusals, known=_nothing_known)

    async def __call__(self, question: str, /) -> Sequence[str]:
        """The URLs that answer it, best first; none where no engine answered."""
        asked = replace(self._discovery, queries=(SearchQuery(question),))
        return [each.url async for found in asked.found(lambda: True) for each in found][:MOST_RESULTS]


async def _nothing_known(_urls: Iterable[str]) -> set[str]:
    return set()
