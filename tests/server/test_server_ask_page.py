"""The page that asks the language model: only by a form that is sent, and hostile text stays text."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from lxml import html

from tests.server.conftest import RunningServer
from tests.server.library import fill

QUOTE = {"source": 1, "text": "Rotate the logs with **logrotate**, once a day."}
LINES = [
    {
        "statements": [
            {"text": "<b>By logrotate.</b>", "quotes": [QUOTE]},
            {"text": "Made up.", "quotes": [{"source": 1, "text": "nowhere"}]},
        ]
    },
    {"statements": []},
]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("ask")
    fill(made)
    return made


@pytest.fixture
def client(serve_with: Callable[..., RunningServer], output: Path, tmp_path: Path) -> Iterator[httpx.Client]:
    """Of a server with a model that has two answers; a third question would be an error."""
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    with serve_with(output, LLM_MODEL=f"scripted/{script}", SERVER_ASKS_PER_MINUTE=3.0).client() as made:
        yield made


def ask(client: httpx.Client, **values: str) -> html.HtmlElement:
    return html.document_fromstring(client.post("/ask", data=values).text)


def test_an_answer_has_its_quotes_and_its_sources(client: httpx.Client) -> None:
    tree = ask(client, q="rotate the logs", site="docs.example")
    (answer,) = tree.find_class("answer")
    assert "<b>By logrotate.</b>" in answer.text_content()
    assert "1 statements, 1 quotes" in answer.text_content()
    assert [each.get("href") for each in answer.iter("a")] == ["#source-1"]
    source = tree.get_element_by_id("source-1")
    assert next(source.iter("a")).get("href") == "https://docs.example/guide#logs"
    assert [each.text for each in source.iter("blockquote")] == [QUOTE["text"]]
    assert tree.xpath("//input[@name='site']/@value") == ["docs.example"]
    assert not list(tree.iter("b", "script"))
    assert "do not answer" in ask(client, q="rotate the logs").text_content()


def test_to_look_at_the_page_asks_nothing(client: httpx.Client) -> None:
    for path in ("/ask", "/ask?q=rotate", "/?q=rotate"):
        assert "logrotate.</b>" not in client.get(path).text
    assert not ask(client, q=" ").find_class("answer")
    assert ask(client, q="rotate the logs").find_class("answer")
    (button,) = html.document_fromstring(client.get("/").text).xpath("//button[@formaction]")
    assert (button.get("formaction"), button.get("formmethod")) == ("/ask", "post")


def test_questions_of_the_page_are_bounded_and_checked(client: httpx.Client) -> None:
    foreign = {"Origin": "https://evil.example"}
    assert client.post("/ask", data={"q": "a"}, headers=foreign).status_code == 403
    assert client.post("/ask", json={"q": "a"}).status_code == 415
    assert client.post("/ask", data={"q": "a" * 70_000}).status_code == 413
    assert client.post("/ask", data={"kind": "magic"}).status_code == 422
    refused = client.post("/ask", data={"q": "a"}, headers={"Accept": "text/html"})
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert "<title>" in refused.text


def test_without_a_language_model_there_is_no_such_page(
    serve_with: Callable[..., RunningServer], tmp_path: Path
) -> None:
    with serve_with(tmp_path).client() as client:
        assert client.get("/ask").status_code == client.post("/ask", data={"q": "a"}).status_code == 404
        assert "formaction" not in client.get("/").text
