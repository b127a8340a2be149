"""Budgets of the tools: for hits of every shape something is answered, and never more than was asked for."""

import base64
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragcrawler.items import SemanticChunk
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.forms import SearchForm
from ragcrawler.server.services.search import search
from ragcrawler.server.tools.budget import text_of
from ragcrawler.server.tools.mcp_server import make_mcp_server
from ragcrawler.server.tools.search import fit_hits
from ragcrawler.server.tools.tokens import count_tokens
from ragcrawler.services import RateLimit
from tests.server.library import chunk_id, fill, handbook, settings
from tests.server.tool_caller import Caller, answer_of, bare

LEAST = 200
NOISE = base64.b64encode(random.Random(1).randbytes(3_000)).decode()
PROSE = "Rotate the logs with logrotate, once a day, and keep them for a week. "
TEXTS = {
    "prose": PROSE * 20,
    "plain": PROSE,
    "long": PROSE * 400,
    "word": NOISE[:3_450].replace("+", "a").replace("/", "b"),
    "base64": NOISE,
    "letters": "x" * 3_450,
    "digits": "7" * 3_450,
    "hash": "0123456789abcdef" * 16,
    "short": "x",
    "kana": "日本語のテキストです。" * 100,
    "emoji": "😀🎉" * 300,
    "table": "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 300,
    "code": "```json\n" + '{"path": "C:\\\\x"}\n' * 100 + "```",
    "lines": "a\n" * 2_000,
    "marks": "</page_text>" * 100,
    "notes": "[^1] [^2]",
}
AROUND: Mapping[str, dict[str, Any]] = {
    "": {},
    "title": {"document_title": NOISE[:999]},
    "section": {"section_path": tuple(NOISE[n : n + 900] for n in range(6))},
    "address": {"chunk_link": f"https://e.example/{NOISE[:2_000].replace('+', 'a')}#part"},
    "all": {
        "chunk_type": "quote",
        "document_title": "題" * 1_000,
        "section_path": ("😀" * 999,) * 6,
        "chunk_link": f"https://e.example/{'%F0%9F' * 330}",
    },
}


def shapes() -> list[SemanticChunk]:
    """A document a chunk, each on a host of its own."""
    first = handbook()[0]
    return [
        replace(
            first,
            **{"chunk_link": f"https://{text}{around}.example/#logs", **changes},
            id=chunk_id(1_000 + number * 100 + other),
            document_id=f"{text}-{around}",
            content=TEXTS[text],
            source_url=f"https://{text}{around}.example/",
            prev_chunk_id="",
            next_chunk_id="",
            position=0,
        )
        for number, text in enumerate(TEXTS)
        for other, (around, changes) in enumerate(AROUND.items())
    ]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedCollection]:
    output = tmp_path_factory.mktemp("shapes")
    fill(output, shapes())
    with ServedCollection.open(settings(output)) as opened:
        yield opened


@pytest.fixture
def tools(collection: ServedCollection) -> Caller:
    return Caller(make_mcp_server(collection, RateLimit.averaging(1, 1)))


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("text", TEXTS)
def test_something_of_each_hit_is_shown_within_every_budget(
    collection: ServedCollection, text: str, around: str
) -> None:
    form = SearchForm(q="how do I rotate the logs?", mode="dense", site=f"{text}{around}.example", limit=1)
    (hit,) = search(collection, form).hits
    for max_tokens in (*range(LEAST, LEAST + 60, 5), 300, 500, 1_000, 2_000, 20_000):
        made = fit_hits([hit], form, max_tokens)
        assert count_tokens(text_of(made)) <= max_tokens
        (shown,) = made.results
        assert bare(shown.text).strip()
        assert shown.is_cut or bare(shown.text).replace("&lt;", "<") == hit.text.strip("\n")
        assert shown.url in {"", hit.link}
    assert shown.url == hit.link  # a large one has room for any address


@pytest.mark.parametrize("max_tokens", [LEAST, 2_000])
async def test_cursors_of_a_search_lead_to_every_hit(tools: Caller, max_tokens: int) -> None:
    found: list[str] = []
    async for result in tools.pages("search", query="logs", kind="quote", limit=10, max_tokens=max_tokens):
        assert count_tokens(result.content[0].text) <= max_tokens
        assert answer_of(result)["results"]
        found += [each["id"] for each in answer_of(result)["results"]]
    assert sorted(found) == sorted(each.id for each in shapes() if each.chunk_type == "quote")


async def test_a_word_that_is_longer_than_the_budget_is_cut(tools: Caller) -> None:
    answer = await tools.answer("search", query="rotate", site="word.example", max_tokens=500)
    (shown,) = answer["results"]
    assert shown["is_cut"]
    assert len(bare(shown["text"])) > 200
    assert TEXTS["word"].startswith(bare(shown["text"]))


async def test_a_plain_question_is_answered_within_the_least_budget(tools: Caller) -> None:
    answer = await tools.answer("search", query="how do I rotate the logs?", max_tokens=LEAST)
    assert answer["results"][0]["url"].startswith("https://")
    assert len(bare(answer["results"][0]["text"])) >= 1
    listed = {each.name: each for each in (await tools.list_tools()).tools}
    assert listed["search"].input_schema["properties"]["max_tokens"]["minimum"] == LEAST


@pytest.mark.parametrize("text", TEXTS)
async def test_reading_reaches_the_end_of_every_text(tools: Caller, text: str) -> None:
    max_tokens = LEAST if len(TEXTS[text]) < 2_000 else 8_000
    read = ""
    async for result in tools.pages("read", id=f"{text}-all", max_tokens=max_tokens):
        assert count_tokens(result.content[0].text) <= max_tokens
        read += answer_of(result)["text"].removeprefix("<page_text>").removesuffix("</page_text>")
    assert read.replace("\n", "").replace("&lt;", "<") == TEXTS[text].replace("\n", "")


@pytest.mark.parametrize("max_tokens", [*range(LEAST, LEAST + 20), 2_000])
async def test_outlines_and_fetched_texts_keep_to_the_least_budget(tools: Caller, max_tokens: int) -> None:
    for name, arguments, shown in (
        ("read", {"id": "emoji-all", "view": "outline"}, "sections"),
        ("read", {"id": "emoji-all"}, "text"),
        ("fetch", {"id": "emoji-all"}, "text"),
        ("fetch", {"id": chunk_id(1_304)}, "text"),
    ):
        result = await tools.call_tool(name, {**arguments, "max_tokens": max_tokens})
        assert count_tokens(result.content[0].text) <= max_tokens
        assert answer_of(result)[shown]


async def test_a_name_of_a_site_that_is_too_long_is_cut_and_the_cursor_goes_on(tmp_path: Path) -> None:
    names = [f"{'a1b2' * 15}.{'c3' * 30}.{'d4' * 30}.{'e5' * 30}{n}.example" for n in range(3)]
    fill(
        tmp_path,
        [
            replace(shapes()[0], id=chunk_id(n), document_id=str(n), source_url=f"https://{name}/")
            for n, name in enumerate(names)
        ],
    )
    with ServedCollection.open(settings(tmp_path)) as collection:
        tools = Caller(make_mcp_server(collection, RateLimit.averaging(1, 1)))
        found = []
        async for result in tools.pages("sources", max_tokens=LEAST):
            assert count_tokens(result.content[0].text) <= LEAST
            found += answer_of(result)["sites"]
    assert len(found) == len(names)
