"""The tools by the SDK's own client: both eras of the protocol, budgets, cursors, and the envelope."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ragcrawler.retrieval.short_links import short_links
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.forms import SearchForm
from ragcrawler.server.services.search import search
from ragcrawler.server.tools.mcp_server import TOOLS, make_mcp_server
from ragcrawler.server.tools.tokens import count_tokens, fitting_length
from ragcrawler.services import RateLimit
from tests.server.conftest import RunningServer
from tests.server.library import PASSAGES, chunk_id, fill, handbook, settings
from tests.server.tool_caller import Caller, answer_of, bare

ERAS = ["legacy", "auto"]


@pytest.fixture(params=ERAS)
def tools(request: pytest.FixtureRequest, server: RunningServer) -> Caller:
    return Caller(f"{server.url}mcp", request.param)


async def test_both_eras_list_the_tools_in_their_order(tools: Caller) -> None:
    listed = (await tools.list_tools()).tools
    assert [each.name for each in listed] == ["search", "read", "sources", "ask", "fetch"]
    assert all(each.annotations and each.annotations.read_only_hint for each in listed)
    assert all(each.output_schema and each.output_schema["type"] == "object" for each in listed)
    assert sorted(listed[0].input_schema["properties"]) == [
        *("cursor", "kind", "limit", "max_tokens", "query", "section", "site"),
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"query": "rotate the logs"}),
        ("read", {"id": chunk_id(2)}),
        ("read", {"id": "guide", "view": "outline"}),
        ("sources", {}),
        ("fetch", {"id": chunk_id(2)}),
    ],
)
async def test_answers_fit_their_schema_in_both_eras(
    tools: Caller, name: str, arguments: dict[str, Any]
) -> None:
    listed = {each.name: each for each in (await tools.list_tools()).tools}
    answer = answer_of(await tools.call_tool(name, arguments))
    assert list(Draft202012Validator(listed[name].output_schema).iter_errors(answer)) == []


@pytest.fixture
def direct(server: RunningServer) -> Caller:
    """The same server without a wire between."""
    return Caller(make_mcp_server(server.collection, RateLimit.averaging(0.001, 1)))


async def test_a_result_of_a_search_can_be_fetched_and_read(direct: Caller) -> None:
    found = answer_of(await direct.call_tool("search", {"query": "rotate the logs", "limit": 5}))
    assert found["results"][0]["url"] == "https://docs.example/guide#logs"
    for result in found["results"]:
        fetched = answer_of(await direct.call_tool("fetch", {"id": result["id"]}))
        assert fetched["id"] == result["id"]
        assert bare(result["text"]).splitlines()[0] in short_links(fetched["text"])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"question": "logs", "top_k": 1, "maxTokens": 500, "domain": "docs.example"}),
        ("read", {"chunk_id": chunk_id(1), "budget": 500}),
        ("read", {"url": "https://docs.example/guide#logs", "view": "document"}),
        ("search", {"query": "logs", "site": None, "k": 3}),
    ],
)
async def test_other_names_of_arguments_are_understood(
    direct: Caller, name: str, arguments: dict[str, Any]
) -> None:
    answer = answer_of(await direct.call_tool(name, arguments))
    assert answer["text"] if name == "read" else answer["results"]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("search", {}, "query"),
        ("search", {"query": "a", "max_tokens": 30_000}, "max_tokens"),
        ("search", {"query": "a", "cursor": "nonsense"}, "cursor"),
        (
            "search",
            {"query": "a", "page_size": 3},
            "no argument 'page_size'; there are query, max_tokens, limit, site, kind, section, cursor.",
        ),
        ("search", {"query": "a", "k": 3, "limit": 4}, "'limit' and 'k' are one argument"),
        ("fetch", {"id": "a", "x" * 500: 1}, "no argument 'xxxx"),
        ("read", {"id": "none"}, "There is no passage or document none"),
        ("ask", {"question": "logs?"}, "LLM_MODEL"),
        ("crawl", {}, "There is no tool 'crawl'"),
    ],
)
async def test_what_goes_wrong_is_told_to_the_model(
    direct: Caller, name: str, arguments: dict[str, Any], said: str
) -> None:
    result = await direct.call_tool(name, arguments)
    assert result.is_error
    assert said in result.content[0].text


async def test_reading_shows_neighbours_sections_and_outlines(direct: Caller) -> None:
    near = answer_of(await direct.call_tool("read", {"id": chunk_id(2)}))
    assert all(content.splitlines()[0] in near["text"] for _, content, _ in PASSAGES)
    section = answer_of(await direct.call_tool("read", {"id": chunk_id(2), "view": "section"}))
    assert "logrotate -f" in section["text"]
    assert "Install" not in section["text"]
    outline = answer_of(await direct.call_tool("read", {"id": "guide", "view": "outline"}))
    assert [bare(each["section"]) for each in outline["sections"]] == [
        *("Guide > Install", "Guide > Logs", "Guide > Backups"),
    ]


async def test_the_link_of_a_result_leads_to_its_passage(direct: Caller) -> None:
    link = "https://docs.example/guide#logs"
    read = await direct.answer("read", id=link, view="section")
    assert bare(read["text"]).startswith("Rotate the logs")
    assert read["id"] == (await direct.answer("fetch", id=link))["id"] == chunk_id(2)
    elsewhere = await direct.answer("read", id="https://docs.example/guide#nowhere", view="document")
    assert bare(elsewhere["text"]).startswith("Install the package")


async def test_what_reads_like_instructions_is_flagged_as_on_the_page(direct: Caller) -> None:
    found = await direct.answer("search", query="rotate")
    flags = {each["id"]: each.get("suspicious", False) for each in found["results"]}
    assert flags == {each.id: each.id == chunk_id(99) for each in handbook() if each.id in flags}
    assert flags[chunk_id(99)]
    for name in ("read", "fetch"):
        hostile, other = [await direct.answer(name, id=chunk_id(number)) for number in (99, 2)]
        assert hostile.get("metadata", hostile)["suspicious"]
        assert "suspicious" not in other.get("metadata", other)


async def test_results_have_the_scores_of_the_search_and_their_order(
    direct: Caller, server: RunningServer
) -> None:
    found = await direct.answer("search", query="rotate the logs", limit=3)
    hits = search(server.collection, SearchForm(q="rotate the logs", limit=3)).hits
    assert [(each["id"], each["score"]) for each in found["results"]] == [
        (each.chunk.id, round(each.score, 4)) for each in hits
    ]


@pytest.mark.parametrize("section", ["Logs", "logs", "GUIDE > Logs", "log", "> `Logs`"])
async def test_sections_are_found_by_words_of_their_headings(direct: Caller, section: str) -> None:
    found = await direct.answer("search", query="rotate", section=section)
    assert {each["id"] for each in found["results"]} == {chunk_id(2), chunk_id(3)}
    assert {bare(each["section"]) for each in found["results"]} == {"Guide > Logs"}


async def test_marks_of_markdown_and_of_footnotes_are_left_out(tmp_path: Path) -> None:
    path = ("Guide", r"The `\markdown` *command*")
    text = "Rotate.[^5] `a[^5]`\n\n[^5]: Once a day."
    fill(tmp_path, [replace(handbook()[0], section_path=path, content=text)])
    with ServedCollection.open(settings(tmp_path)) as collection:
        tools = Caller(make_mcp_server(collection, RateLimit.averaging(1, 1)))
        (found,) = (await tools.answer("search", query="rotate", section="markdown command"))["results"]
        (entry,) = (await tools.answer("read", id="guide", view="outline"))["sections"]
    assert bare(found["section"]) == bare(entry["section"]) == r"Guide > The \markdown command"
    assert bare(found["text"]) == "Rotate. `a[^5]`\n\nOnce a day."


@pytest.fixture(scope="module")
def long_document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One document of thirty chunks, one of which is longer than any budget."""
    output = tmp_path_factory.mktemp("long")
    first = handbook()[0]
    chunks = []
    for number in range(30):
        text = f'Line {number} "quoted" logs\n' * (4_000 if number == 7 else 20)
        chunks.append(
            replace(
                first,
                id=chunk_id(number + 1),
                chunk_id=f"long_{number}",
                content=text,
                embed_text=text[:500],
                position=number,
                section_path=("Guide", f"Part {number // 5}"),
                prev_chunk_id=chunk_id(number) if number else "",
                next_chunk_id=chunk_id(number + 2) if number < 29 else "",
            )
        )
    fill(output, chunks)
    return output


@pytest.fixture
def long(long_document: Path) -> Iterator[Caller]:
    with ServedCollection.open(settings(long_document)) as collection:
        yield Caller(make_mcp_server(collection, RateLimit.averaging(1, 1)))


@pytest.mark.parametrize("max_tokens", [200, 500, 2_000])
async def test_no_answer_is_over_its_budget_and_cursors_reach_the_end(long: Caller, max_tokens: int) -> None:
    for name, arguments in (
        ("search", {"query": "quoted logs", "limit": 5}),
        ("read", {"id": chunk_id(1), "view": "outline"}),
        ("read", {"id": chunk_id(20), "view": "document", "cursor": "20"}),
        ("fetch", {"id": chunk_id(8)}),
        ("read", {"id": chunk_id(15)}),
    ):
        cursor: str | None = arguments.get("cursor")
        seen: set[str | None] = set()
        while cursor not in seen and len(seen) < 6:
            seen.add(cursor)
            more = {"cursor": cursor} if cursor and name != "fetch" else {}
            result = await long.call_tool(name, {**arguments, "max_tokens": max_tokens, **more})
            answer = answer_of(result)
            assert count_tokens(result.content[0].text) <= max_tokens
            assert answer.get("text") or answer.get("results") or answer.get("sections")
            cursor = answer.get("next_cursor")
            if cursor is None:
                break


async def test_a_document_is_read_to_its_end_without_a_gap(long: Caller) -> None:
    cursor, read = "7", ""
    for _ in range(200):
        arguments = {"id": "guide", "view": "document", "max_tokens": 20_000, "cursor": cursor}
        answer = answer_of(await long.call_tool("read", arguments))
        read += bare(answer["text"])
        if not (cursor := answer.get("next_cursor")):
            break
    for number in range(7, 30):
        assert read.count(f'Line {number} "quoted" logs') == (4_000 if number == 7 else 20)


async def test_asking_is_bounded(direct: Caller) -> None:
    results = [await direct.call_tool("ask", {"question": "logs?"}) for _ in range(2)]
    assert "Too many questions" in results[1].content[0].text


@pytest.mark.parametrize(
    "text",
    [
        "Rotate the logs with logrotate, once a day; see /etc/logrotate.conf. " * 30,
        "日本語のテキストです。" * 50,
        "QmFzZTY0IGRhdGEgaXMgbGlrZSB0aGlz" * 30,
        "9bFlIkpYt5HfavHYMD5hzcS7hsPRxCcQPDRMQYnr" * 30,
        "xqzjvk" * 200,
        "😀🎉ⅷ㎏" * 100,
        "| a | b |\n|---|---|\n" * 50,
        "अनुच्छेद größere Häuser Привет " * 40,
    ],
)
def test_tokens_are_never_counted_too_low(text: str) -> None:
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base")
    assert count_tokens(text) >= len(encoding.encode(text))
    assert count_tokens(text[: fitting_length(text, 50)]) <= 50


def test_nothing_but_ask_can_cost() -> None:
    assert [each.name for each in TOOLS if each.can_cost] == ["ask"]
