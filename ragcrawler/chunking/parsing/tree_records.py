"""The elements and sections of a document as JSON values, in the shape of specification 001."""

from collections.abc import Sequence
from typing import Any

from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement
from ragcrawler.chunking.parsing.parser import MarkdownParser
from ragcrawler.chunking.parsing.sections import Section, SectionAnalyzer
from ragcrawler.chunking.parsing.source import SourceText


def tree_record(markdown: str) -> dict[str, Any]:
    """A document as its syntax tree, `elements`, and as the tree of its sections, `sections`.

    What stands before the first heading is a section of level 0 without a heading.
    """
    elements = MarkdownParser().parse(SourceText(markdown))
    root = SectionAnalyzer().analyze(elements)
    before = [_section_record(Section(0, content_elements=root.content_elements))]
    below = [_section_record(section) for section in root.subsections]
    return {
        "elements": element_records(elements),
        "sections": (before if root.content_elements else []) + below,
    }


def element_records(elements: Sequence[MarkdownElement]) -> list[dict[str, Any]]:
    """Elements with their children; `lines` are the first, from 0, and the one behind the last."""
    return [
        {
            "type": str(element.type),
            "content": _content(element),
            "level": element.level,
            **({"metadata": metadata} if (metadata := _metadata(element)) else {}),
            "lines": [element.line_start, element.line_end],
            "children": element_records(element.children),
        }
        for element in elements
    ]


def _content(element: MarkdownElement) -> str:
    if element.type is ElementType.HEADING:
        return element.metadata["text"]
    return element.content.rstrip("\r\n")


def _metadata(element: MarkdownElement) -> dict[str, str]:
    """The fields of the element's kind, but for a heading's text, which is its content."""
    return {name: value for name, value in element.metadata.items() if value and name != "text"}


def _section_record(section: Section) -> dict[str, Any]:
    return {
        "level": section.level,
        "heading": section.heading,
        "content_elements": element_records(section.content_elements),
        "subsections": [_section_record(each) for each in section.subsections],
    }
