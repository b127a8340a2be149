"""The tools `read` and `fetch`: a document by its parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.joining import join_contents
from ragcrawler.retrieval.short_links import plain_label
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import NotFoundError
from ragcrawler.server.services.results import clean
from ragcrawler.server.services.search import answer_errors
from ragcrawler.server.tools.budget import USUAL, Shape, fit_items, fit_some, fit_text, is_within
from ragcrawler.server.tools.forms import FetchTool, ReadTool
from ragcrawler.server.tools.results import Fetched, FetchedMetadata, OutlineEntry, Read, ToolResult

_MOST_CHUNKS = 400  # of a document at once; a cursor goes on behind them
_MOST_NEIGHBOURS = 40
_LONGEST_CURSOR = "9999999"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a document.

    Attributes:
        cited: the chunk whose title and address stand beside it.
        text: Markdown.
        is_suspicious: it holds text that reads like instructions to a model.
        cursor: where it goes on, None at its end.
    """

    cited: SemanticChunk
    text: str
    is_suspicious: bool
    cursor: str | None

    @classmethod
    def of(cls, chunks: Sequence[SemanticChunk], cited: SemanticChunk, cursor: str | None) -> "Stretch":
        """That of whole chunks."""
        is_suspicious = any(each.extra.suspicious for each in chunks)
        return cls(cited, clean(join_contents(chunks)), is_suspicious, cursor)


Make = Callable[[Stretch, Shape], ToolResult]


def read_tool(collection: ServedCollection, given: ReadTool) -> ToolResult:
    """What stands around a passage, its section, the outline of its document, or the document.

    Raises:
        NotFoundError: there is no such passage or document.
    """
    found, is_passage = _find(collection, given.id)
    position, _, skipped = given.cursor.partition(":")
    start = int(position or 0)
    if given.view == "outline":
        return _outline(_stretch(collection, found, start), found, given.max_tokens)
    reader = _Reader(given.max_tokens, _read)
    if given.view == "section" and is_passage:
        return reader.text(_section(collection, found), start, int(skipped or 0))
    if given.view == "document" or not is_passage or given.cursor:
        return reader.text(_stretch(collection, found, start), start, int(skipped or 0))
    return reader.neighbours(_around(collection, found), found)


def fetch_tool(collection: ServedCollection, given: FetchTool) -> ToolResult:
    """A passage with as much around it as the budget holds, in the form that connectors expect.

    Raises:
        NotFoundError: there is no such passage or document.
    """

    def fetched(stretch: Stretch, shape: Shape) -> Fetched:
        return Fetched(
            id=stretch.cited.id,
            title=_title(stretch.cited, shape),
            text=stretch.text,
            url=_url(stretch.cited, shape),
            metadata=FetchedMetadata(next_cursor=stretch.cursor, suspicious=stretch.is_suspicious),
        )

    found, is_passage = _find(collection, given.id)
    reader = _Reader(given.max_tokens, fetched)
    if is_passage:
        return reader.neighbours(_around(collection, found), found)
    return reader.text(_stretch(collection, found, 0), 0, 0)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes answers with as many chunks as the budget holds."""

    max_tokens: int
    make: Make

    def neighbours(self, near: Sequence[SemanticChunk], chunk: SemanticChunk) -> ToolResult:
        """The passage and, in turn, one before it and one after, while the budget holds them."""
        low = next(number for number, each in enumerate(near) if each.id == chunk.id)
        high = low + 1
        if not self._fits(near[low:high], chunk):
            return self.text(near[low:], chunk.position, 0)
        while True:
            wider = [(low, min(high + 1, len(near))), (max(low - 1, 0), high)]
            fitting = [
                each for each in wider if each != (low, high) and self._fits(near[slice(*each)], chunk)
            ]
            if not fitting:
                break
            low, high = fitting[0]
            if low > 0 and self._fits(near[low - 1 : high], chunk):
                low -= 1
        last = near[high - 1]
        cursor = str(last.position + 1) if last.next_chunk_id else None
        return self.make(Stretch.of(near[low:high], chunk, cursor), USUAL)

    def text(self, chunks: Sequence[SemanticChunk], start: int, skipped: int) -> ToolResult:
        """As many chunks from a position on as the budget holds; of one that is too long, a part.

        The cursor is the position of the next chunk and, behind a colon, how much of it was shown before.

        Raises:
            NotFoundError: there is none from that position on.
        """
        wanted = [each for each in chunks if each.position >= start]
        if not wanted:
            raise NotFoundError(f"Nothing is left to read from {start} on.")
        if skipped == 0:
            made, kept = fit_items(wanted, lambda some: self._whole(wanted, some), self.max_tokens)
            if kept:
                return made
        return self._part(wanted, skipped)

    def _fits(self, chunks: Sequence[SemanticChunk], chunk: SemanticChunk) -> bool:
        made = self.make(Stretch.of(chunks, chunk, _LONGEST_CURSOR), USUAL)
        return is_within(made, self.max_tokens)

    def _whole(self, wanted: Sequence[SemanticChunk], some: Sequence[SemanticChunk]) -> ToolResult:
        is_more = len(some) < len(wanted) or (len(wanted) == _MOST_CHUNKS and wanted[-1].next_chunk_id)
        cursor = str(some[-1].position + 1) if is_more and some else None
        return self.make(Stretch.of(some, wanted[0], cursor), USUAL)

    def _part(self, wanted: Sequence[SemanticChunk], skipped: int) -> ToolResult:
        """What the budget holds of the first chunk, behind what was shown of it."""
        first = wanted[0]
        rest = clean(first.content)[skipped:]
        behind = str(first.position + 1) if len(wanted) > 1 else None

        def make(text: str, shape: Shape) -> ToolResult:
            is_whole = len(text) == len(rest)
            cursor = behind if is_whole else f"{first.position}:{skipped + len(text)}"
            return self.make(Stretch(first, text, bool(first.extra.suspicious), cursor), shape)

        made = fit_text(rest, make, self.max_tokens)
        if made is None:
            raise NotFoundError(f"Not one character fits into {self.max_tokens} tokens: ask for more.")
        return made


def _find(collection: ServedCollection, reference: str) -> tuple[SemanticChunk, bool]:
    """A passage of this id or this link; else the first one of the document with this id or URL."""
    with answer_errors():
        if collection.store.models() is not None:
            for chunk in collection.store.get([reference]):
                return chunk, True
            page, _, _ = reference.partition("#")
            record = collection.with_catalogue(lambda known: known.get(reference) or known.by_url(page))
            document = f"document_id={record.document_id if record else reference}"
            places = [f"chunk_link={reference}"] if "#" in reference else []
            for place in (*places, "position<1"):
                found = collection.store.scroll(filters=[document, place])
                for chunk in sorted(found, key=lambda each: each.position)[:1]:
                    return chunk, place in places
    raise NotFoundError(f"There is no passage or document {reference}; search finds their ids.")


def _stretch(collection: ServedCollection, chunk: SemanticChunk, start: int) -> list[SemanticChunk]:
    """The chunks of the same document from a position on, in order."""
    bounds = [f"position>={start}", f"position<{start + _MOST_CHUNKS}"]
    with answer_errors():
        found = collection.store.scroll(filters=[f"document_id={chunk.document_id}", *bounds])
        return sorted(found, key=lambda each: each.position)


def _around(collection: ServedCollection, chunk: SemanticChunk) -> list[SemanticChunk]:
    return _stretch(collection, chunk, max(0, chunk.position - _MOST_NEIGHBOURS))


def _section(collection: ServedCollection, chunk: SemanticChunk) -> list[SemanticChunk]:
    near = _stretch(collection, chunk, max(0, chunk.position - _MOST_CHUNKS // 2))
    return [each for each in near if each.section_path[: len(chunk.section_path)] == chunk.section_path]


def _outline(chunks: Sequence[SemanticChunk], chunk: SemanticChunk, max_tokens: int) -> Read:
    """The headings of the document, each with the id of the first passage below it."""
    entries: list[SemanticChunk] = []
    for each in chunks:
        if not entries or each.section_path != entries[-1].section_path:
            entries.append(each)

    def make(some: Sequence[SemanticChunk], shape: Shape) -> Read:
        cursor = str(entries[len(some)].position) if len(some) < len(entries) else None
        sections = [OutlineEntry(id=each.id, section=shape.label(_path(each))) for each in some]
        return _read(Stretch(chunk, "", is_suspicious=False, cursor=cursor), shape, sections)

    return fit_some(entries, make, max_tokens)


def _read(stretch: Stretch, shape: Shape, sections: Sequence[OutlineEntry] = ()) -> Read:
    return Read(
        id=stretch.cited.id,
        title=_title(stretch.cited, shape),
        url=_url(stretch.cited, shape),
        text=stretch.text,
        sections=list(sections),
        suspicious=stretch.is_suspicious,
        next_cursor=stretch.cursor,
    )


def _title(chunk: SemanticChunk, shape: Shape) -> str:
    return shape.label(clean(chunk.document_title))


def _url(chunk: SemanticChunk, shape: Shape) -> str:
    return shape.url(clean(chunk.chunk_link or chunk.source_url))


def _path(chunk: SemanticChunk) -> str:
    return " > ".join(clean(plain_label(each)) for each in chunk.section_path)
