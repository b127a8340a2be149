"""Match a hit to the expected URLs: a page, or a fragment of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote, urldefrag

from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval.evaluation.judged import Grades


@dataclass(frozen=True, slots=True)
class GoldUrl:
    """A page, and the place in it that is meant; "" for all of it."""

    page: str
    anchor: str = ""

    @classmethod
    def of(cls, url: str, canonical: Callable[[str], str] = str) -> Self:
        """Take a URL apart; anchors are compared without percent escapes."""
        page, anchor = urldefrag(url)
        return cls(canonical(page), unquote(anchor))

    def __str__(self) -> str:
        return f"{self.page}#{self.anchor}" if self.anchor else self.page


def found_urls(chunks: Sequence[SemanticChunk], grades: Grades) -> list[str]:
    """The gold URLs that a list of chunks found, in its order, each once.

    A chunk counts as the most exact gold URL that names it, by its link or by an alias of its page. Others
    count by page, or by link where a gold URL has an anchor: so two places of a page are two results there.
    """
    by_place = any(GoldUrl.of(url).anchor for url in grades)
    return list(dict.fromkeys(_named(chunk, grades, by_place=by_place) for chunk in chunks))


def _named(chunk: SemanticChunk, grades: Grades, *, by_place: bool) -> str:
    names = list(_names(chunk))
    other = names[0] if by_place else chunk.source_url
    return next((name for name in names if name in grades), other)


def _names(chunk: SemanticChunk) -> Iterator[str]:
    pages = (chunk.source_url, *chunk.aliases)
    anchor = GoldUrl.of(chunk.chunk_link).anchor
    if anchor:
        yield from (str(GoldUrl(page, anchor)) for page in pages)
    yield from pages
