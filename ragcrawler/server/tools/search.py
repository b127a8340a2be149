"""The tool `search`."""

from collections.abc import Sequence

from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.forms import SearchForm, place_filters
from ragcrawler.server.services.results import HitResult
from ragcrawler.server.services.search import search
from ragcrawler.server.tools.budget import fit_items, fit_text, has_room, label
from ragcrawler.server.tools.envelope import envelope
from ragcrawler.server.tools.forms import SearchTool
from ragcrawler.server.tools.results import FoundPassage, FoundPassages

URL_CHARACTERS = 500
_DEEPEST = 1_000


def search_tool(collection: ServedCollection, given: SearchTool) -> FoundPassages:
    """The best passages that the budget holds, whole; where there is room, the next one's beginning."""
    offset = int(given.cursor.partition(":")[0] or 0)
    form = SearchForm(
        q=given.query,
        limit=given.limit,
        offset=min(offset, _DEEPEST),
        filter=place_filters(given.kind, given.section),
        site=given.site,
    )
    hits = search(collection, form).hits
    made, kept = fit_items(hits, lambda some: _answer(some, hits, offset, given.limit), given.max_tokens)
    if kept < len(hits) and (kept == 0 or has_room(made, given.max_tokens)):
        return _with_a_part(hits, kept, offset, given)
    return made


def _with_a_part(hits: Sequence[HitResult], kept: int, offset: int, given: SearchTool) -> FoundPassages:
    """The answer with the beginning of a passage that does not fit."""
    last = hits[kept]

    def make(text: str) -> FoundPassages:
        whole = _answer(hits[: kept + 1], hits, offset, given.limit)
        part = _passage(last).model_copy(update={"text": envelope(text), "is_cut": True})
        return whole.model_copy(update={"results": [*whole.results[:-1], part]})

    made, length = fit_text(last.text, make, given.max_tokens)
    return made if length else _answer(hits[:kept], hits, offset, given.limit)


def _answer(some: Sequence[HitResult], hits: Sequence[HitResult], offset: int, limit: int) -> FoundPassages:
    is_more = len(some) < len(hits) or len(hits) == limit
    end = offset + len(some)
    cursor = str(end) if is_more and some and end <= _DEEPEST else None
    return FoundPassages(results=[_passage(each) for each in some], next_cursor=cursor)


def _passage(hit: HitResult) -> FoundPassage:
    return FoundPassage(
        id=hit.chunk.id,
        title=label(hit.title),
        url=hit.link[:URL_CHARACTERS],
        section=label(" > ".join(hit.section_path)),
        text=envelope(hit.text),
    )
