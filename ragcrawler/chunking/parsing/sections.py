"""The tree of sections: which blocks stand under which heading."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement


@dataclass(slots=True)
class Section:
    """A heading, what stands directly under it, and the sections below.

    Attributes:
        level: of the heading, 0 for what stands before the first one.
        heading: its words, "" where there is no heading.
        heading_element: the heading itself.
        path: the headings from the outermost to this one.
        levels: the level of each heading in the path.
        content_elements: the blocks between this heading and the next.
        subsections: the sections of deeper level that follow, up to the next of this level or a higher one.
    """

    level: int
    heading: str = ""
    heading_element: MarkdownElement | None = None
    path: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    content_elements: list[MarkdownElement] = field(default_factory=list)
    subsections: list["Section"] = field(default_factory=list)

    def walk(self) -> Iterator["Section"]:
        """This section and all below it, in document order."""
        pending = [self]
        while pending:
            section = pending.pop()
            yield section
            pending += reversed(section.subsections)


class SectionAnalyzer:
    """Groups elements under their headings; a skipped level does no harm."""

    def analyze(self, elements: list[MarkdownElement]) -> Section:
        """The section before the first heading; all others are below it."""
        root = Section(level=0)
        chain = [root]
        for element in elements:
            if element.type is not ElementType.HEADING:
                chain[-1].content_elements.append(element)
                continue
            while chain[-1].level >= element.level:
                chain.pop()
            section = _below(chain[-1], element)
            chain[-1].subsections.append(section)
            chain.append(section)
        return root


def _below(parent: Section, element: MarkdownElement) -> Section:
    """A heading without words is a boundary, but no part of a path."""
    text = element.metadata["text"]
    if not text:
        return Section(element.level, "", element, parent.path, parent.levels)
    return Section(element.level, text, element, (*parent.path, text), (*parent.levels, element.level))
