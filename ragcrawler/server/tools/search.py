"""The tool `search`."""

from collections.abc import Sequence

from ragcrawler.retrieval.short_links import without_footnote_marks
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.forms import SearchForm, place_filters
from ragcrawler.server.services.results import HitResult
from ragcrawler.server.services.search import search
from ragcrawler.server.tools.budget import SHAPES, USUAL, Shape, fit_items, fit_text, has_room
from ragcrawler.server.tools.forms import SearchTool
from ragcrawler.server.tools.results import FoundPassage, FoundPassages

_DEEPEST = 1_000


def search_tool(collection: ServedCollection, given: SearchTool) -> FoundPassages:
    """What was found, as far as the budget holds it."""
    form = SearchForm(
        q=given.query,
        limit=given.limit,
        offset=min(int(given.cursor.partition(":")[0] or 0), _DEEPEST),
        filter=place_filters(given.kind, given.section),
        site=given.site,
    )
    hits = [_without_marks(each) for each in search(collection, form).hits]
    return fit_hits(hits, form, given.max_tokens)


def fit_hits(hits: Sequence[HitResult], form: SearchForm, max_tokens: int) -> FoundPassages:
    """The best passages that the budget holds, whole; where there is room, the next one's beginning.

    Of the first one something is always shown: what stands around it takes less room, and a long word is cut.
    """

    def make(some: Sequence[HitResult]) -> FoundPassages:
        return _answer([_passage(each, each.text, USUAL) for each in some], hits, form)

    made, kept = fit_items(hits, make, max_tokens)
    if kept < len(hits) and (kept == 0 or has_room(made, max_tokens)):
        return _with_a_part(made, hits, form, max_tokens)
    return made


def _with_a_part(
    whole: FoundPassages, hits: Sequence[HitResult], form: SearchForm, max_tokens: int
) -> FoundPassages:
    """The answer with the beginning of the next passage, which does not fit."""
    before, hit = whole.results, hits[len(whole.results)]

    def make(text: str, shape: Shape) -> FoundPassages:
        return _answer([*before, _passage(hit, text, shape)], hits, form)

    # A later one has its turn at the cursor, with its address; the first one has no other.
    return fit_text(hit.text, make, max_tokens, (USUAL,) if before else SHAPES) or whole


def _answer(shown: Sequence[FoundPassage], hits: Sequence[HitResult], form: SearchForm) -> FoundPassages:
    end = form.offset + len(shown)
    is_more = len(shown) < len(hits) or len(hits) == form.limit
    return FoundPassages(results=list(shown), next_cursor=str(end) if is_more and end <= _DEEPEST else None)


def _passage(hit: HitResult, text: str, shape: Shape) -> FoundPassage:
    return FoundPassage(
        id=hit.chunk.id,
        score=round(hit.score, 4),
        title=shape.label(hit.title),
        url=shape.url(hit.link),
        section=shape.label(" > ".join(hit.section_path)),
        text=text,
        is_cut=len(text) < len(hit.text),
        suspicious=bool(hit.suspicious),
    )


def _without_marks(hit: HitResult) -> HitResult:
    return hit.model_copy(update={"text": without_footnote_marks(hit.text) or hit.text})
