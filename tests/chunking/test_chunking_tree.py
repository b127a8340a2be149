"""The syntax tree and the sections of a document as JSON, in the shape of specification 001."""

import json

from ragcrawler.chunking.parsing.tree_records import tree_record

MARKDOWN = """\
Before.

# Header A

## Header A.1

| a | b |
|---|---|
| 1 | 2 |

- one
  - two

# Header B

A paragraph.

```python
# no heading
```
"""


def test_elements_have_type_content_level_and_children() -> None:
    elements = json.loads(json.dumps(tree_record(MARKDOWN)))["elements"]
    assert [(each["type"], each["level"]) for each in elements] == [
        ("ElementType.PARAGRAPH", 0),
        ("ElementType.HEADING", 1),
        ("ElementType.HEADING", 2),
        ("ElementType.TABLE", 0),
        ("ElementType.BULLET_LIST", 0),
        ("ElementType.HEADING", 1),
        ("ElementType.PARAGRAPH", 0),
        ("ElementType.CODE", 0),
    ]
    assert elements[1]["content"] == "Header A"
    assert elements[3]["content"] == "| a | b |\n|---|---|\n| 1 | 2 |"
    (item,) = elements[4]["children"]
    assert [child["type"] for child in item["children"]] == [
        "ElementType.PARAGRAPH",
        "ElementType.BULLET_LIST",
    ]
    assert elements[7]["metadata"] == {"language": "python", "fence": "```", "closed": "yes"}
    assert (elements[7]["lines"], elements[7]["children"]) == ([17, 20], [])


def test_sections_group_what_stands_under_each_header() -> None:
    before, first, second = tree_record(MARKDOWN)["sections"]
    assert list(first) == ["level", "heading", "content_elements", "subsections"]
    assert (before["level"], before["heading"]) == (0, "")
    assert (first["level"], first["heading"], first["content_elements"]) == (1, "Header A", [])
    (below,) = first["subsections"]
    assert (below["level"], below["heading"]) == (2, "Header A.1")
    assert [each["type"] for each in below["content_elements"]] == [
        "ElementType.TABLE",
        "ElementType.BULLET_LIST",
    ]
    assert [each["type"] for each in second["content_elements"]] == [
        "ElementType.PARAGRAPH",
        "ElementType.CODE",
    ]
    assert second["subsections"] == []


def test_an_empty_document_has_no_sections() -> None:
    assert tree_record("") == {"elements": [], "sections": []}
