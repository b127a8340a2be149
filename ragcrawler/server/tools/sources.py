"""The tool `sources`."""

from collections.abc import Sequence

from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.results import SiteResult
from ragcrawler.server.services.sites import sources
from ragcrawler.server.tools.budget import fit_items
from ragcrawler.server.tools.forms import SourcesTool
from ragcrawler.server.tools.results import Site, Sites


def sources_tool(collection: ServedCollection, given: SourcesTool) -> Sites:
    """The sites, as many as the budget holds."""
    start = int(given.cursor.partition(":")[0] or 0)
    wanted = sources(collection).sites[start:]

    def make(some: Sequence[SiteResult]) -> Sites:
        cursor = str(start + len(some)) if len(some) < len(wanted) else None
        return Sites(sites=[_site(each) for each in some], next_cursor=cursor)

    return fit_items(wanted, make, given.max_tokens)[0]


def _site(each: SiteResult) -> Site:
    return Site(
        site=each.site, documents=each.documents, passages=each.chunks, last_read=each.last_fetched[:10]
    )
