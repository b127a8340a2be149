"""The headings above a chunk: section path, parent section, header fields."""

from collections.abc import Sequence

from ragcrawler.chunking.parsing.document import ParsedDocument
from ragcrawler.chunking.parsing.elements import ElementType
from ragcrawler.chunking.parsing.sections import Section
from ragcrawler.chunking.splitters.sentences import sentence_ends

_LONGEST_MADE_UP = 120
# What is longer is a paragraph with a rule below it, which Markdown takes for a heading.
_LONGEST_EMBEDDED = 200
# The first sentence of a page says what it is about; that of a long text does not: embedded with each chunk
# it cost 2 to 4 points of recall.
_CHUNKS_OF_A_PAGE = 12


def common_path(sections: Sequence[Section]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The headings that stand above all of the sections, and their levels."""
    paths = [tuple(zip(section.path, section.levels, strict=True)) for section in sections]
    shared = paths[0]
    for path in paths[1:]:
        length = 0
        while length < min(len(shared), len(path)) and shared[length] == path[length]:
            length += 1
        shared = shared[:length]
    return tuple(text for text, _ in shared), tuple(level for _, level in shared)


class Headers:
    """The headings of a document's chunks; one is made up where there is none (specification 003)."""

    def __init__(self, document: ParsedDocument, title: str) -> None:
        self._title = " ".join(title.split())
        self._made_up = _first_heading(document) or _first_sentence(document)
        self._is_page = True

    def expect(self, chunks: int) -> None:
        """Say how many chunks the document has."""
        self._is_page = chunks <= _CHUNKS_OF_A_PAGE

    def embedded(self, path: Sequence[str], levels: Sequence[int]) -> list[str]:
        """The headings that are embedded: no very long ones, and none that is made up for a long text."""
        headings = [text for _, text in self.of(path, levels) if len(text) <= _LONGEST_EMBEDDED]
        if not path and not self._title and not self._is_page:
            return []
        return headings

    def of(self, path: Sequence[str], levels: Sequence[int]) -> tuple[tuple[str, str], ...]:
        """`Header 1` and so on. Without a real H1 the title is it, else the outermost heading stands in."""
        numbered = list(zip(levels, path, strict=True))
        if not numbered or numbered[0][0] > 1:
            if self._title:
                numbered.insert(0, (1, self._title))
            elif numbered:
                numbered[0] = (1, numbered[0][1])
            elif self._made_up:
                numbered.insert(0, (1, self._made_up))
        return tuple((f"Header {level}", text) for level, text in numbered)


def _first_heading(document: ParsedDocument) -> str:
    heading = document.root.subsections[0].heading if document.root.subsections else ""
    return heading if len(heading) <= _LONGEST_MADE_UP else ""


def _first_sentence(document: ParsedDocument) -> str:
    for element in document.elements:
        if element.type is ElementType.PARAGRAPH:
            text = element.content
            ends = sentence_ends(text[: _LONGEST_MADE_UP * 4])
            sentence = " ".join(text[: ends[0] if ends else _LONGEST_MADE_UP * 4].split())
            if len(sentence) <= _LONGEST_MADE_UP:
                return sentence
            return sentence[:_LONGEST_MADE_UP].rsplit(" ", 1)[0]
    return ""
