"""Drafts into finished chunks: identity, headings, links, neighbours."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import quote, urldefrag, urlsplit

from ragcrawler.chunking.document_bounds import DocumentBounds
from ragcrawler.chunking.output import identity
from ragcrawler.chunking.output.embed_text import EmbedText
from ragcrawler.chunking.output.extra import Extras
from ragcrawler.chunking.output.headers import Headers, common_path
from ragcrawler.chunking.output.listings import Listings
from ragcrawler.chunking.output.overlap import LEAD_IN_TOKENS, Overlap
from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.parsing.heading_text import heading_text
from ragcrawler.chunking.parsing.hidden_text import visible
from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.sizing.tokens import TokenCounter
from ragcrawler.chunking.strategies import overlap_for
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.items import Anchor, ChunkType, SemanticChunk

_H2 = 2


@dataclass(frozen=True, slots=True)
class DocumentIdentity:
    """The identity of a document.

    Attributes:
        id: stands in every chunk and goes into their ids.
        url: where it is read.
        title: "" where it has none.
        anchors: the places in it that a link can name.
    """

    id: str
    url: str
    title: str
    anchors: Sequence[Anchor]


class Assembly:
    """Makes the chunks of one document.

    Args:
        document: parsed.
        tokens: counted the drafts.
        known: its identity.
        embedding_tokens: the embedding model's counter, where that is another one.
    """

    def __init__(
        self,
        document: ParsedDocument,
        tokens: TokenCounter,
        known: DocumentIdentity,
        embedding_tokens: TokenCounter | None = None,
    ) -> None:
        self._document = document
        self._known = known
        self._slug = identity.slug(known.id, known.url, known.title)
        self._ids = identity.PointIds(known.id)
        self._headers = Headers(document, known.title)
        self._links = ChunkLinks(known.url, known.anchors)
        self._embedding_tokens = embedding_tokens
        self._embed_text = EmbedText(embedding_tokens or tokens)
        self._lead_ins = Overlap(document.budget.map, document.root, LEAD_IN_TOKENS)
        self._chapter = chapter(known.url)
        self._section_names = _section_names(document)

    def chunks(self, drafts: Sequence[Draft]) -> list[SemanticChunk]:
        """All chunks, linked with each other.

        Raises:
            ChunkBoundError: they are too many, or too big together.
        """
        bounds = DocumentBounds(self._document.config)
        bounds.expect(len(drafts))
        parts = Counter(draft.group for draft in drafts)
        listings = Listings(self._document, self._known.url, self._known.title)
        extras = Extras(drafts, self._slug, self._document.config.min_tokens, listings)
        contexts = self._contexts(drafts)
        self._headers.expect(len(drafts))
        made: list[SemanticChunk] = []
        part = 0
        for position, draft in enumerate(drafts):
            part = part + 1 if position and drafts[position - 1].group == draft.group else 1
            chunk = self._chunk(draft, position, contexts[position])
            chunk = replace(chunk, extra=extras.of(position, chunk.chunk_id))
            if parts[draft.group] > 1:
                chunk = replace(
                    chunk, split_sequence=f"{part}/{parts[draft.group]}", is_continuation=part > 1
                )
            bounds.add(chunk)
            made.append(chunk)
        return _chain(made)

    def _contexts(self, drafts: Sequence[Draft]) -> list[tuple[str, str]]:
        """The overlap texts before and after each chunk."""
        overlap = overlap_for(self._document)
        last = len(drafts) - 1
        return [
            (
                overlap.before(draft, drafts[index - 1]) if index else "",
                overlap.after(draft, drafts[index + 1]) if index < last else "",
            )
            for index, draft in enumerate(drafts)
        ]

    def _chunk(self, draft: Draft, position: int, context: tuple[str, str]) -> SemanticChunk:
        path, levels = common_path(draft.sections)
        main = draft.main
        embed_text = self._embedded(draft, path, levels, context)
        digest = identity.content_hash(draft.content)
        return SemanticChunk(
            id=self._ids.next(digest),
            chunk_id=f"{self._slug}_{self._section_names[id(draft.sections[0])]}_chunk_{position}",
            document_id=self._known.id,
            content=draft.content,
            content_hash=digest,
            token_count=draft.tokens,
            embed_text=embed_text,
            start=draft.start,
            end=draft.end,
            position=position,
            embed_hash=identity.embed_hash(embed_text, self._document.config.model),
            document_title=self._known.title,
            source_url=self._known.url,
            chunk_link=self._links.at(self._document.source.line_at(draft.start)),
            chunk_type=_chunk_type(draft),
            section_path=path,
            parent_section=path[-1] if path else "",
            headers=self._headers.of(main.path, main.levels),
            section_title=_section_title(main),
            chapter=self._chapter,
            context_before=context[0],
            context_after=context[1],
        )

    def _embedded(
        self, draft: Draft, path: Sequence[str], levels: Sequence[int], context: tuple[str, str]
    ) -> str:
        """A heading that stands in the content is not said twice; links count by their labels."""
        text = self._document.source.text
        lead_in = self._lead_ins.lead_in(draft)
        own = {heading_text(text[unit.start : unit.end].strip("#=- \t\r\n")) for unit in draft.headings}
        headings = [
            heading
            for heading in self._headers.embedded(path, levels)
            if heading not in own and not (draft.content.startswith(heading) or lead_in.startswith(heading))
        ]
        around = context if self._document.config.embed_overlap else ("", "")
        before, after = map(visible, around)
        content = visible(draft.content)
        size = self._embedding_tokens.count(content) if self._embedding_tokens else draft.tokens
        return self._embed_text.of(
            content,
            size,
            headings,
            visible(lead_in),
            (before, after),
        )


def _section_title(section: Section) -> str:
    """The nearest H2."""
    named = zip(section.path, section.levels, strict=True)
    return next((text for text, level in named if level == _H2), "")


def _section_names(document: ParsedDocument) -> dict[int, str]:
    """`h2_3` for the third heading of level 2; `h0_0` for what stands before the first heading."""
    ordinals: Counter[int] = Counter()
    names: dict[int, str] = {}
    for section in document.root.walk():
        names[id(section)] = f"h{section.level}_{ordinals[section.level] + bool(section.level)}"
        ordinals[section.level] += 1
    return names


def _chunk_type(draft: Draft) -> ChunkType:
    kinds = {unit.kind for unit in draft.units if not unit.is_heading}
    if "image" in kinds:
        # A picture is kept with the paragraphs around it: that is what the chunk is about.
        kinds.discard("text")
    if len(kinds) > 1:
        return "mixed"
    return kinds.pop() if kinds else "text"


def _chain(chunks: list[SemanticChunk]) -> list[SemanticChunk]:
    ids = ["", *(chunk.id for chunk in chunks), ""]
    return [
        replace(chunk, prev_chunk_id=ids[index], next_chunk_id=ids[index + 2])
        for index, chunk in enumerate(chunks)
    ]


class ChunkLinks:
    """Links to the places of one document."""

    def __init__(self, url: str, anchors: Sequence[Anchor]) -> None:
        self._url = urldefrag(url).url
        self._anchors = sorted(anchors, key=lambda anchor: anchor.line)
        self._lines = [anchor.line for anchor in self._anchors]

    def at(self, line: int) -> str:
        """The URL with the last anchor at or before a 0-based line; without one, the URL alone."""
        index = bisect_right(self._lines, line)
        if not self._url or not index:
            return self._url
        return f"{self._url}#{quote(self._anchors[index - 1].id, safe='-._~!$&()*+,;=:@/?')}"


def chapter(url: str) -> str:
    """The first path segment of a page, the folder of a file; "" at the top."""
    parts = urlsplit(url)
    folders = [name for name in PurePosixPath(parts.path).parent.parts if name != "/"]
    if parts.path.endswith("/"):
        folders = [name for name in parts.path.split("/") if name]
    if not folders:
        return ""
    return folders[0] if parts.netloc else folders[-1]
