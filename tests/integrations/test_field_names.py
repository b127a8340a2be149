"""One name a field: what is told of a hit, by everything that tells of hits."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

import pytest

import ragcrawler
from ragcrawler.bootstrap import open_retriever
from ragcrawler.items import ChunkExtra
from ragcrawler.retrieval.answering.answer import Answer
from ragcrawler.retrieval.formatting.answer_lines import answer_record
from ragcrawler.retrieval.formatting.records import hit_records, passage_records
from ragcrawler.retrieval.passage import passages
from ragcrawler.retrieval.short_links import short_links
from ragcrawler.server.services.ask import ask
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.documents import document
from ragcrawler.server.services.forms import AskForm, SearchForm
from ragcrawler.server.services.search import search
from ragcrawler.server.tools.forms import FetchTool, SearchTool
from ragcrawler.server.tools.read import fetch_tool
from ragcrawler.server.tools.search import search_tool
from tests.server.library import HANDBOOK, chunk_id, fill, handbook, settings
from tests.server.tool_caller import bare

QUERY = "rotate the logs"
FIELDS: Mapping[str, Any] = {
    "id": chunk_id(2),
    "title": "Handbook",
    "section_path": ["Guide", "Rotating logs"],
    "link": f"{HANDBOOK}#logs",
    "source_url": HANDBOOK,
    "document_id": "guide",
    "text": "Rotate the logs daily.",
    "suspicious": ["obey me"],
}
HIT = {*FIELDS, "rank", "score"}
PASSAGE = HIT | {"chunk_ids", "hit_ids", "words", "is_cut"}
STORED = {
    *("chunk_id", "content", "content_hash", "embed_text", "embed_hash", "token_count", "start", "end"),
    *("position", "chunk_type", "parent_section", "headers", "section_title", "chapter", "split_sequence"),
    *("is_continuation", "prev_chunk_id", "next_chunk_id", "context_before", "context_after", "summary"),
    *("extra", "fetched_at", "etag", "last_modified", "aliases"),
}
"""What only the chunk as it is stored has."""
SOURCE = {*FIELDS} - {"id", "text"} | {"source", "cited"}
METADATA = HIT - {"rank"} | {"chunk_ids"}
NAMES: Mapping[str, set[str]] = {
    "Python": HIT | {"chunks"},
    "scrapy search --json": HIT | STORED,
    "scrapy search --json --context": PASSAGE,
    "API": PASSAGE | {"chunk"},
    "LangChain": METADATA,
    "LlamaIndex": METADATA,
    "MCP search": HIT - {"rank", "source_url", "document_id"},
    "MCP fetch": {"id", "title", "link", "text", "suspicious"},
    "API ask": SOURCE,
    "scrapy ask --json": SOURCE,
}
FORMER: Mapping[str, Mapping[str, str]] = {
    "scrapy search --json": {"chunk_link": "link", "document_title": "title"},
    "LangChain": {"source": "link", "url": "source_url"},
    "LlamaIndex": {"source": "link", "url": "source_url"},
}
"""Names that go with the next version, and what is called so now."""


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A collection of one chunk, and a language model that quotes it."""
    output = tmp_path_factory.mktemp("library")
    chunk = replace(
        handbook()[1],
        section_path=("Guide", "Rotating `logs`"),
        content="Rotate the [logs](https://logs.example/) daily.",
        prev_chunk_id="",
        next_chunk_id="",
        extra=ChunkExtra(suspicious=("obey me",)),
    )
    fill(output, [chunk])
    quotes = [{"source": 1, "text": "Rotate the logs daily"}]
    line = json.dumps({"statements": [{"text": "Daily.", "quotes": quotes}]}) + "\n"
    script = output / "script.jsonl"
    script.write_text(line * 2, "utf-8")
    return settings(output, LLM_MODEL=f"scripted/{script}")


def python_hit(given: Mapping[str, Any]) -> dict[str, Any]:
    (hit,) = ragcrawler.search(QUERY, settings=given)
    return asdict(hit)


def json_line(given: Mapping[str, Any]) -> dict[str, Any]:
    with open_retriever(**given) as retriever:
        (record,) = hit_records(retriever.find(QUERY, 1))
    return record


def json_passage(given: Mapping[str, Any]) -> dict[str, Any]:
    with open_retriever(**given) as retriever:
        found = retriever.find(QUERY, 1)
        (record,) = passage_records(passages(retriever.store, found.hits, 1), found)
    return record


def json_source(given: Mapping[str, Any]) -> dict[str, Any]:
    with open_retriever(**given) as retriever:
        shown = tuple(passages(retriever.store, retriever.search(QUERY, 1)))
    (source,) = answer_record(Answer((), shown))["sources"]
    return source


def api_hit(given: Mapping[str, Any]) -> dict[str, Any]:
    with ServedCollection.open(given) as collection:
        (hit,) = search(collection, SearchForm(q=QUERY)).hits
    return hit.model_dump()


def api_source(given: Mapping[str, Any]) -> dict[str, Any]:
    with ServedCollection.open(given) as collection:
        (source,) = ask(collection, AskForm(question=QUERY)).sources
    return source.model_dump()


def tool_result(given: Mapping[str, Any]) -> dict[str, Any]:
    with ServedCollection.open(given) as collection:
        (found,) = search_tool(collection, SearchTool(query=QUERY)).model_dump()["results"]
    return _as_elsewhere(found)


def tool_text(given: Mapping[str, Any]) -> dict[str, Any]:
    with ServedCollection.open(given) as collection:
        found = fetch_tool(collection, FetchTool(id=chunk_id(2))).model_dump(exclude_none=True)
    metadata = found.pop("metadata")
    del metadata["notice"]
    return _as_elsewhere({**found, **metadata, "text": short_links(found["text"])})


def _as_elsewhere(result: dict[str, Any]) -> dict[str, Any]:
    """An answer of a tool as the others tell it.

    Connectors read `url`; headings are one line, which costs a model less; to repeat what reads like
    instructions would serve those who wrote it.
    """
    changed = {
        **result,
        "link": result.pop("url"),
        "title": bare(result["title"]),
        "text": bare(result["text"]),
    }
    changed["suspicious"] = ["obey me"] if changed["suspicious"] is True else []
    if "section" in changed:
        changed["section_path"] = bare(changed.pop("section")).split(" > ")
    return {name: value for name, value in changed.items() if name not in {"url", "section", "is_cut"}}


def langchain_document(given: Mapping[str, Any]) -> dict[str, Any]:
    from ragcrawler.integrations.langchain import RagcrawlerRetriever

    (document,) = RagcrawlerRetriever(settings=given).invoke(QUERY)
    return {"id": document.id, "text": document.page_content, **document.metadata}


def llama_index_node(given: Mapping[str, Any]) -> dict[str, Any]:
    from ragcrawler.integrations.llama_index import RagcrawlerRetriever

    (found,) = RagcrawlerRetriever(settings=given).retrieve(QUERY)
    return {"id": found.node.node_id, "text": found.node.get_content(), **found.metadata}


TOLD: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "Python": python_hit,
    "scrapy search --json": json_line,
    "scrapy search --json --context": json_passage,
    "API": api_hit,
    "LangChain": langchain_document,
    "LlamaIndex": llama_index_node,
    "MCP search": tool_result,
    "MCP fetch": tool_text,
    "API ask": api_source,
    "scrapy ask --json": json_source,
}


@pytest.mark.parametrize("interface", NAMES)
def test_a_field_has_one_name_and_one_value_everywhere(interface: str, given: dict[str, Any]) -> None:
    told = TOLD[interface](given)
    former = FORMER.get(interface, {})
    assert set(told) == NAMES[interface] | set(former)
    alike = {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}
    assert {name: alike[name] for name in FIELDS if name in told} == {
        name: value for name, value in FIELDS.items() if name in told
    }
    # What has the value of a field has its name, too.
    others = {name: value for name, value in alike.items() if name not in FIELDS and name not in former}
    assert not [name for name, value in others.items() if value in FIELDS.values()]
    assert {old: alike[new] for old, new in former.items()} == {old: alike[old] for old in former}


def test_former_names_of_a_hit_are_read_with_a_warning(given: dict[str, Any]) -> None:
    (hit,) = ragcrawler.search(QUERY, settings=given)
    with pytest.warns(DeprecationWarning, match="SearchHit.url is now SearchHit.source_url"):
        assert hit.url == hit.source_url
    with pytest.warns(DeprecationWarning, match="SearchHit.chunk_id is now SearchHit.id"):
        assert hit.chunk_id == hit.id


def test_the_record_of_a_document_has_its_address_by_the_same_name(given: dict[str, Any]) -> None:
    with ServedCollection.open(given) as collection:
        record = document(collection, "guide").model_dump()
    assert record["source_url"] == record["url"] == HANDBOOK
