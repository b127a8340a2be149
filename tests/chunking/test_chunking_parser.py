"""The blocks of a document as elements, and the sections that they form."""

import pytest

from ragcrawler.chunking.parsing.elements import ElementType, MarkdownElement
from ragcrawler.chunking.parsing.parser import MarkdownParser
from ragcrawler.chunking.parsing.sections import SectionAnalyzer
from ragcrawler.chunking.parsing.source import SourceText


def _parse(markdown: str) -> list[MarkdownElement]:
    return MarkdownParser().parse(SourceText(markdown))


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("# A\n", ElementType.HEADING),
        ("A\n===\n", ElementType.HEADING),
        ("words\n", ElementType.PARAGRAPH),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", ElementType.TABLE),
        ("- a\n- b\n", ElementType.BULLET_LIST),
        ("1. a\n2. b\n", ElementType.ORDERED_LIST),
        ("```py\nx\n```\n", ElementType.CODE),
        ("    x = 1\n", ElementType.INDENTED_CODE),
        ("> words\n", ElementType.QUOTE),
        ("<div>\nx\n</div>\n", ElementType.HTML),
        ("![caption](a.png)\n", ElementType.IMAGE),
        ("[![caption](a.png)](http://a.org)\n", ElementType.IMAGE),
        ("Term\n: meaning\n", ElementType.DEFINITION_LIST),
        ("[^1]: a note at the foot\n", ElementType.FOOTNOTE),
        ("---\ntitle: A\n---\n", ElementType.FRONT_MATTER),
        ("$$\nx = 1\n$$\n", ElementType.MATH),
        ("***\n", ElementType.THEMATIC_BREAK),
        ("[a]: http://a.org\n", ElementType.LINK_DEFINITION),
    ],
)
def test_every_kind_of_block_is_told_apart(markdown: str, expected: ElementType) -> None:
    [element] = _parse(markdown)

    assert element.type is expected
    assert (element.start, element.end) == (0, len(markdown))


def test_an_element_knows_its_lines_and_its_markdown() -> None:
    heading, paragraph = _parse("# A\n\none\ntwo\n\n")

    assert (heading.line_start, heading.line_end, heading.level) == (0, 1, 1)
    assert (paragraph.line_start, paragraph.line_end, paragraph.content) == (2, 4, "one\ntwo\n")


def test_lists_hold_their_items_and_items_their_blocks() -> None:
    [outer] = _parse("- a\n  - b\n\n    ```sh\n    c\n    ```\n- [x] d\n- [ ] e\n")

    first, done, to_do = outer.children
    assert [child.type for child in first.children] == [ElementType.PARAGRAPH, ElementType.BULLET_LIST]
    inner = first.children[1].children[0]
    assert [child.type for child in inner.children] == [ElementType.PARAGRAPH, ElementType.CODE]
    assert (done.metadata, to_do.metadata) == ({"task": "done"}, {"task": "open"})


@pytest.mark.parametrize(
    ("markdown", "language", "closed"),
    [
        ("```python\nx\n```", "python", "yes"),
        ("~~~ {.sh}\nx\n~~~", "sh", "yes"),
        ("```\nx\n````", "", "yes"),
        ("```sh\nx\n``", "sh", ""),
        ("> ```sh\n> x\n> ```", "sh", "yes"),
    ],
)
def test_code_knows_its_language_and_whether_it_is_closed(markdown: str, language: str, closed: str) -> None:
    [element] = _parse(markdown)
    code = element.children[0] if element.children else element

    assert (code.metadata["language"], code.metadata["closed"]) == (language, closed)


@pytest.mark.parametrize("markdown", ["---\nwords and words\n---\n", "---\n\n---\n", "---\na: b\nno end\n"])
def test_a_rule_and_text_are_no_front_matter(markdown: str) -> None:
    assert all(element.type is not ElementType.FRONT_MATTER for element in _parse(markdown))


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("# Plain #", "Plain"),
        ("# `code` and *more*", "`code` and *more*"),
        ("# A [link](http://a.org) here", "A link here"),
        ("# A <a name='x'></a>title {#title}", "A title"),
        ("# snake_case_name", "snake_case_name"),
        ("# The `<div>` element", "The `<div>` element"),
        (r"# mkdir \<name> <b>now</b>", r"mkdir \<name> now"),
        ("# A [![badge](b.svg)](http://a.org)", "A [![badge](b.svg)](http://a.org)"),
        ("#", ""),
    ],
)
def test_a_heading_is_its_words(heading: str, text: str) -> None:
    assert _parse(heading)[0].metadata["text"] == text


def test_sections_stand_under_the_next_higher_heading() -> None:
    root = SectionAnalyzer().analyze(_parse("intro\n\n# A\n\n### A.x\n\ntext\n\n## A.1\n\n# B\n\nend\n"))

    assert [element.content for element in root.content_elements] == ["intro\n"]
    assert [section.path for section in root.walk()] == [
        (),
        ("A",),
        ("A", "A.x"),
        ("A", "A.1"),
        ("B",),
    ]
    assert [section.heading for section in root.subsections[0].subsections] == ["A.x", "A.1"]
    assert root.subsections[1].levels == (1,)


@pytest.mark.parametrize(
    ("markdown", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("a\r\nb\rc\n", ["a\r\n", "b\r", "c\n"]),
        ("a\x0bb\u2028c", ["a\x0bb\u2028c"]),
    ],
)
def test_lines_end_where_markdown_ends_them(markdown: str, lines: list[str]) -> None:
    source = SourceText(markdown)

    assert [source.lines(line, line + 1) for line in range(source.line_count)] == lines
    assert [source.line_at(source.offset(line)) for line in range(source.line_count)] == list(
        range(len(lines))
    )
