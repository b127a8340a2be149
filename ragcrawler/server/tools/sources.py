"""The tool `sources`."""

from collections.abc import Sequence

from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.results import SiteResult
from ragcrawler.server.services.sites import sources
from ragcrawler.server.tools.budget import USUAL, Shape, fit_some
from ragcrawler.server.tools.forms import SourcesTool
from ragcrawler.server.tools.results import Site, Sites


def sources_tool(collection: ServedCollection, given: SourcesTool) -> Sites:
    """The sites, as many as the budget holds; a name that is too long for it is cut."""
    start = int(given.cursor.partition(":")[0] or 0)
    wanted = sources(collection).sites[start:]

    def make(some: Sequence[SiteResult], shape: Shape) -> Sites:
        cursor = str(start + len(some)) if len(some) < len(wanted) else None
        return Sites(sites=[_site(each, shape) for each in some], next_cursor=cursor)

    return fit_some(wanted, make, given.max_tokens)


def _site(each: SiteResult, shape: Shape) -> Site:
    return Site(
        site=each.site if shape is USUAL else shape.label(each.site),
        documents=each.documents,
        chunks=each.chunks,
        last_fetched=each.last_fetched[:10],
    )
