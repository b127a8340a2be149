"""The tools `read` and `fetch`: a document by its parts."""

from collections.abc import Sequence

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.joining import join_contents
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import NotFoundError
from ragcrawler.server.services.results import clean
from ragcrawler.server.services.search import answer_errors
from ragcrawler.server.tools.budget import fit_items, fit_text, is_within, label
from ragcrawler.server.tools.envelope import envelope
from ragcrawler.server.tools.forms import FetchTool, ReadTool
from ragcrawler.server.tools.results import Fetched, OutlineEntry, Read
from ragcrawler.server.tools.search import URL_CHARACTERS

_MOST_CHUNKS = 400  # of a document at once; a cursor goes on behind them
_MOST_NEIGHBOURS = 40


def read_tool(collection: ServedCollection, given: ReadTool) -> Read:
    """What stands around a passage, its section, the outline of its document, or the document.

    Raises:
        NotFoundError: there is no such passage or document.
    """
    found, is_passage = _find(collection, given.id)
    start, _, skipped = given.cursor.partition(":")
    if given.view == "outline":
        return _outline(collection, found, int(start or 0), given.max_tokens)
    if given.view == "section" and is_passage:
        return _text(_section(collection, found), given, int(start or 0), int(skipped or 0))
    if given.view == "document" or not is_passage:
        position = int(start or 0)
        return _text(_stretch(collection, found, position), given, position, int(skipped or 0))
    if given.cursor:
        return _text(_stretch(collection, found, int(start)), given, int(start), int(skipped or 0))
    return _neighbours(collection, found, given)


def fetch_tool(collection: ServedCollection, given: FetchTool) -> Fetched:
    """A passage with as much around it as the budget holds, in the form that connectors expect."""
    read = read_tool(collection, ReadTool(id=given.id, max_tokens=given.max_tokens))

    def make(text: str) -> Fetched:
        metadata = {"notice": read.notice, **({"next_cursor": read.next_cursor} if read.next_cursor else {})}
        return Fetched(id=given.id, title=read.title, text=envelope(text), url=read.url, metadata=metadata)

    inner = read.text.removeprefix("<page_text>\n").removesuffix("\n</page_text>")
    return fit_text(inner, make, given.max_tokens)[0]


def _find(collection: ServedCollection, reference: str) -> tuple[SemanticChunk, bool]:
    """A passage of this id; else the first one of the document with this id or URL."""
    with answer_errors():
        if collection.store.models() is not None:
            for chunk in collection.store.get([reference]):
                return chunk, True
            page, _, _ = reference.partition("#")
            record = collection.with_catalogue(lambda known: known.get(reference) or known.by_url(page))
            document_id = record.document_id if record else reference
            filters = [f"document_id={document_id}", "position<1"]
            for chunk in collection.store.scroll(filters=filters):
                return chunk, False
    raise NotFoundError(f"There is no passage or document {reference}; search finds their ids.")


def _stretch(collection: ServedCollection, chunk: SemanticChunk, start: int) -> list[SemanticChunk]:
    """The chunks of the same document from a position on, in order."""
    bounds = [f"position>={start}", f"position<{start + _MOST_CHUNKS}"]
    with answer_errors():
        found = collection.store.scroll(filters=[f"document_id={chunk.document_id}", *bounds])
        return sorted(found, key=lambda each: each.position)


def _section(collection: ServedCollection, chunk: SemanticChunk) -> list[SemanticChunk]:
    start = max(0, chunk.position - _MOST_CHUNKS // 2)
    near = _stretch(collection, chunk, start)
    return [each for each in near if each.section_path[: len(chunk.section_path)] == chunk.section_path]


def _neighbours(collection: ServedCollection, chunk: SemanticChunk, given: ReadTool) -> Read:
    """The passage and, in turn, one before it and one after, while the budget holds them."""
    near = _stretch(collection, chunk, max(0, chunk.position - _MOST_NEIGHBOURS))
    middle = next(number for number, each in enumerate(near) if each.id == chunk.id)
    low, high = middle, middle + 1
    while high - low < len(near):
        wider = [(low, min(high + 1, len(near))), (max(low - 1, 0), high)]
        wider = [each for each in wider if each != (low, high)]
        fitting = next((each for each in wider if _fits(near[slice(*each)], chunk, given)), None)
        if fitting is None:
            break
        low, high = fitting
        if low > 0 and _fits(near[low - 1 : high], chunk, given):
            low -= 1
    shown = near[low:high]
    if len(shown) == 1 and not _fits(shown, chunk, given):
        return _text(shown, given, chunk.position, 0)
    cursor = str(shown[-1].position + 1) if shown[-1].next_chunk_id else None
    return _read(chunk, clean(join_contents(shown)), cursor)


def _fits(chunks: Sequence[SemanticChunk], chunk: SemanticChunk, given: ReadTool) -> bool:
    return is_within(_read(chunk, clean(join_contents(chunks)), "9999999"), given.max_tokens)


def _text(chunks: Sequence[SemanticChunk], given: ReadTool, start: int, skipped: int) -> Read:
    """As many chunks from a position on as the budget holds; of one that is too long, a part.

    The cursor is the position of the next chunk and, behind a colon, how much of it was shown before.
    """
    wanted = [each for each in chunks if each.position >= start]
    if not wanted:
        raise NotFoundError(f"Nothing is left to read behind the cursor {given.cursor}.")
    if skipped == 0:
        made, kept = fit_items(wanted, lambda some: _some(wanted, some), given.max_tokens)
        if kept:
            return made
    first = wanted[0]
    rest = clean(first.content)[skipped:]

    def make(text: str) -> Read:
        end = skipped + len(text)
        behind = str(first.position + 1) if first.next_chunk_id else None
        return _read(first, text, behind if len(text) == len(rest) else f"{first.position}:{end}")

    return fit_text(rest, make, given.max_tokens)[0]


def _some(wanted: Sequence[SemanticChunk], some: Sequence[SemanticChunk]) -> Read:
    if not some:
        return _read(wanted[0], "", "9999999")
    is_more = len(some) < len(wanted) or len(wanted) == _MOST_CHUNKS
    cursor = str(some[-1].position + 1) if is_more else None
    return _read(some[0], clean(join_contents(some)), cursor)


def _outline(collection: ServedCollection, chunk: SemanticChunk, start: int, max_tokens: int) -> Read:
    """The headings of the document, each with the id of the first passage below it."""
    entries: list[tuple[int, OutlineEntry]] = []
    before: tuple[str, ...] | None = None
    for each in _stretch(collection, chunk, start):
        if each.section_path != before:
            section = label(" > ".join(map(clean, each.section_path)))
            entries.append((each.position, OutlineEntry(id=each.id, section=section)))
        before = each.section_path

    def make(some: Sequence[tuple[int, OutlineEntry]]) -> Read:
        cursor = str(entries[len(some)][0]) if len(some) < len(entries) else None
        return _read(chunk, "", cursor).model_copy(update={"text": "", "sections": [one for _, one in some]})

    return fit_items(entries, make, max_tokens)[0]


def _read(chunk: SemanticChunk, text: str, cursor: str | None) -> Read:
    return Read(
        id=chunk.id,
        title=label(clean(chunk.document_title)),
        url=clean(chunk.chunk_link or chunk.source_url)[:URL_CHARACTERS],
        text=envelope(text) if text else "",
        next_cursor=cursor,
    )
