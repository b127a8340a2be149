"""Exports of FireCrawl: records, the frame of pages, and the file of chunks."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.items import ChunkExtra, Document, SemanticChunk
from ragcrawler.sources.firecrawl.boilerplate import SiteBoilerplate
from ragcrawler.sources.firecrawl.chunk_file import ChunkFile, specified_chunk
from ragcrawler.sources.firecrawl.export import Export, FireCrawlExportError
from ragcrawler.sources.firecrawl.record import RecordError, read_record

HEAD = (
    "[![Logo](https://a.org/l.png)DOCS](/docs)\n\n*   [Start](/docs/start)\n    \n*   Products\n\n"
    "Search docs...\n\n"
)
FOOT = "\n\n* * *\n\n[© A Inc](https://a.org/)\n—[Contributing](https://a.org/c)\n"


def page(**fields: Any) -> dict[str, Any]:
    return {"markdown": "# A\n\ntext", "metadata": {"sourceURL": "https://a.org/a"}, **fields}


def write(path: Path, records: list[Any], **head: Any) -> Export:
    path.write_text(json.dumps({**head, "data": records}), encoding="utf-8")
    return Export(path)


def test_records_come_one_by_one_with_what_the_file_says_of_itself(tmp_path: Path) -> None:
    records = [page(linksOnPage=["x", {"y": [1, None, True, 2.5]}]), 7, "text", [], {}]
    export = write(
        tmp_path / "e.json", records, base_url="https://a.org/", timestamp="2024-08-30T07:30:45.664429"
    )
    assert list(export.read()) == records
    assert (export.base_url, export.fetched_at) == ("https://a.org/", "2024-08-30T07:30:45+00:00")


@pytest.mark.parametrize("cut", [60, 130, -3, -1])
def test_a_cut_file_gives_what_is_before_the_cut_then_one_error(tmp_path: Path, cut: int) -> None:
    whole = write(tmp_path / "e.json", [page(), page()])
    text = whole.path.read_bytes()
    whole.path.write_bytes(text[:cut])
    read = []
    with pytest.raises(FireCrawlExportError, match=r"record \d cannot be read"):
        read.extend(whole.read())
    assert all(record == page() for record in read)


def test_one_record_without_an_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    export = write(tmp_path / "e.json", [page(), page(markdown="x" * 1_000_000)])
    with pytest.raises(FireCrawlExportError, match="record 1 cannot be read: it has more than 200000 bytes"):
        list(export.read(max_record_bytes=200_000))


@pytest.mark.parametrize("text", ['{"pages": []}', "[]", '{"data": {}}'])
def test_a_file_of_another_kind_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "e.json").write_text(text)
    with pytest.raises(FireCrawlExportError, match='no list "data"'):
        list(Export(tmp_path / "e.json").read())


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (7, "it is int, not an object"),
        ({}, "no metadata"),
        (page(metadata={}), "no metadata.sourceURL"),
        (page(markdown=" \n", content=""), "no text"),
        ({"metadata": {"sourceURL": "https://a.org/a"}}, "no text"),
    ],
)
def test_a_broken_record_says_what_is_missing(record: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_record(record)


def test_content_stands_in_for_markdown_and_may_be_html() -> None:
    assert read_record(page(markdown="", content="*   [Start](/x)")).is_html is False
    assert read_record(page(markdown=None, content="<!DOCTYPE html><p>x")).is_html is True
    assert read_record(page(metadata={"sourceURL": "u", "pageStatusCode": 404})).is_error is True


def test_the_frame_of_many_pages_is_taken_off_and_nothing_between() -> None:
    boilerplate = SiteBoilerplate()
    bodies = [
        f"# Page {n}\n\nOwn words {n}.\n\nSearch docs...\n\n```\na\n\n\nb\n```\n\nLast {n}." for n in range(8)
    ]
    for body in bodies:
        boilerplate.learn(HEAD + body + FOOT)
    assert [boilerplate.strip(HEAD + body + FOOT) for body in bodies] == [f"{body}\n" for body in bodies]
    assert boilerplate.strip(HEAD + FOOT) == ""


def test_headings_and_texts_that_many_pages_have_stay_where_they_are_their_own() -> None:
    boilerplate = SiteBoilerplate()
    pages = [f"## Overview\n\nOwn words {n}.\n\n## See also\n\n[Other {n}](/{n})\n" for n in range(8)]
    odd = "## Overview\n\nOdd words.\n\n## See also\n"
    for page in [*pages, odd]:
        boilerplate.learn(HEAD + page + FOOT)
    assert [boilerplate.strip(HEAD + page + FOOT) for page in [*pages, odd]] == [*pages, odd]


def test_few_pages_and_copies_of_one_page_have_no_frame() -> None:
    boilerplate = SiteBoilerplate()
    for number in range(3):
        boilerplate.learn(f"{HEAD}# {number}{FOOT}")
    for _ in range(10):
        boilerplate.learn(f"{HEAD}# 0{FOOT}")
    assert boilerplate.strip(f"{HEAD}# 0{FOOT}") == f"{HEAD}# 0{FOOT}"


def test_a_frame_never_leaves_half_a_code_block() -> None:
    boilerplate = SiteBoilerplate()
    pages = [f"```\nimport a\n\nimport {n}\n```\n\nWords {n}" for n in range(6)]
    for text in pages:
        boilerplate.learn(text)
    assert boilerplate.strip(pages[0]) == f"{pages[0]}\n"


@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ("chunks", ["chunk_id", "source_url", "content", "headers", "token_count", "summary"]),
        ("anthropic", ["chunk_link", "chunk_heading", "text", "summary"]),
    ],
)
def test_the_file_of_chunks_is_a_json_list_in_the_shape_asked_for(
    tmp_path: Path, shape: str, names: list[str]
) -> None:
    chunk = SemanticChunk(
        "id", "a_h1_1_chunk_0", "d", "Ä", "h", 1, "Ä", 0, 1, 0, headers=(("Header 1", "A"),)
    )
    document = Document("d", "https://a.org/", "", "", "Ä", "h", "", chunks=(chunk, chunk))
    file = ChunkFile(tmp_path / "c.json", shape)
    file.add(document, 0)
    assert not (tmp_path / "c.json").exists()
    file.close()
    chunks = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert [list(each) for each in chunks] == [names, names]
    ChunkFile(tmp_path / "c.json", shape).discard()
    assert len(json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))) == 2
    ChunkFile(tmp_path / "none.json", shape).close()
    assert json.loads((tmp_path / "none.json").read_text()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "none.json"]


def test_the_file_of_chunks_is_in_the_order_of_the_documents_whichever_is_done_first(tmp_path: Path) -> None:
    file = ChunkFile(tmp_path / "c.json", "chunks")
    for place in (2, 0, 3, 1):
        chunks = tuple(
            SemanticChunk(f"{place}-{part}", f"{place}-{part}", "d", "Ä" * place, "h", 1, "", 0, 1, part)
            for part in range(2)
        )
        file.add(Document("d", "https://a.org/", "", "", "", "h", "", chunks=chunks), place)
    file.add(Document("d", "https://a.org/", "", "", "", "h", ""), 4)
    file.close()
    written = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert [each["chunk_id"] for each in written] == [f"{n}-{part}" for n in range(4) for part in range(2)]


def test_the_file_of_chunks_says_what_is_too_long_a_whole_document_or_a_part() -> None:
    chunk = SemanticChunk("id", "c", "d", "x", "h", 1, "", 0, 1, 0)
    names = set(specified_chunk(chunk))
    flagged = replace(
        chunk, split_sequence="1/3", extra=ChunkExtra(oversized=True, full_document=True, links=("a",))
    )
    assert {name: value for name, value in specified_chunk(flagged).items() if name not in names} == {
        "oversized": True,
        "full_document": True,
        "split_sequence": "1/3",
    }
