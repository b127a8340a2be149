"""Language models through instructor, against an OpenAI-compatible endpoint on loopback."""

import json
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.open import open_language_model
from ragcrawler.llm.protocol import LanguageModelError, Prompt

KEY = "sk-very-secret-key"
PROMPT = Prompt("Order these.", "<document>x</document>")


class Order(BaseModel):
    """The documents in order."""

    document_ids: Annotated[list[int], Field(description="ids, best first")]


def opened(double, **changes):
    fields = {"model": "meta/some-model", "base_url": double.url, "api_key": KEY, "timeout_seconds": 5.0}
    return open_language_model(LanguageModelConfig(**(fields | changes)))


@pytest.mark.parametrize("output", ["tools", "json_schema", "json"])
def test_a_form_is_filled_in_every_way_of_asking(start_chat_double, output: str) -> None:
    double = start_chat_double({"document_ids": [3, 1]})
    model = opened(double, output=output)
    assert model.fill(Order, PROMPT) == Order(document_ids=[3, 1])
    [body] = double.requests
    assert body["model"] == model.name == "meta/some-model"
    assert body["temperature"] == 0.0
    assert body["max_tokens"] == 2048
    assert "ids, best first" in json.dumps(body)
    assert "Order these." in body["messages"][0]["content"]
    assert "<document>x</document>" in json.dumps(body["messages"])
    assert double.keys == [f"Bearer {KEY}"]


def test_an_answer_that_does_not_fit_the_form_is_asked_for_once_more(start_chat_double) -> None:
    double = start_chat_double({"document_ids": ["first"]}, {"document_ids": [2]})
    assert opened(double).fill(Order, PROMPT).document_ids == [2]
    assert len(double.requests) == 2


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ([(401, f"Incorrect API key provided: {KEY}")] * 2, "Incorrect API key provided: \\*\\*\\*"),
        ([(500, "overloaded")] * 2, "overloaded"),
    ],
)
def test_no_valid_answer_is_one_error_without_the_key(start_chat_double, replies, said: str, caplog) -> None:
    caplog.set_level("DEBUG")
    with pytest.raises(LanguageModelError, match=said) as caught:
        opened(start_chat_double(*replies)).fill(Order, PROMPT)
    message = str(caught.value)
    assert message.startswith("the language model 'meta/some-model' at http://127.0.0.1:")
    assert message.endswith("Check LLM_MODEL, LLM_BASE_URL and LLM_API_KEY")
    assert KEY not in message
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("output", "replies", "what", "ways"),
    [
        (
            "tools",
            [{"ids": [1]}] * 2,
            "document_ids: Field required",
            "LLM_OUTPUT=json_schema, LLM_OUTPUT=json",
        ),
        ("json", ["nonsense"] * 2, "Invalid JSON", "LLM_OUTPUT=tools, LLM_OUTPUT=json_schema"),
        ("json_schema", [{"document_ids": ["a"]}] * 2, "valid integer", "LLM_OUTPUT=tools, LLM_OUTPUT=json"),
    ],
)
def test_an_answer_that_misses_the_form_says_what_is_wrong_and_what_may_help(
    start_chat_double, output: str, replies, what: str, ways: str
) -> None:
    with pytest.raises(LanguageModelError) as caught:
        opened(start_chat_double(*replies), output=output).fill(Order, PROMPT)
    message = str(caught.value)
    assert "gave an answer that does not fit the form (" in message
    assert what in message
    assert message.endswith(f": try {ways}, more than LLM_ATTEMPTS=2, or another LLM_MODEL")
    for raw in ("Retry", "<failed_attempts>", "ChatCompletion", "pydantic", "LLM_API_KEY", f"={output},"):
        assert raw not in message


def test_a_model_that_calls_no_tool_is_told_from_one_that_does_not_answer(start_chat_double) -> None:
    double = start_chat_double("I would rather talk.", "I would rather talk.")
    double.calls_tools = False
    with pytest.raises(LanguageModelError, match=r"does not fit the form .*LLM_OUTPUT=json_schema"):
        opened(double).fill(Order, PROMPT)


def test_an_answer_that_was_cut_off_asks_for_more_room(start_chat_double) -> None:
    double = start_chat_double('{"document_ids": [1, 2')
    double.finish_reason = "length"
    with pytest.raises(LanguageModelError, match=r"was cut off: raise LLM_MAX_OUTPUT_TOKENS, which is 2048$"):
        opened(double, attempts=1).fill(Order, PROMPT)


def test_a_server_that_cannot_call_tools_is_told_so(start_chat_double) -> None:
    with pytest.raises(LanguageModelError, match=r"BadRequestError: .*set it to another way$"):
        opened(start_chat_double((400, "tools are not supported"))).fill(Order, PROMPT)


def test_an_endpoint_that_hangs_is_given_up(start_chat_double) -> None:
    double = start_chat_double()
    with pytest.raises(LanguageModelError, match="gave no answer"):
        opened(double, timeout_seconds=0.2, attempts=1).fill(Order, PROMPT)


def test_a_model_of_no_provider_is_refused_when_it_is_opened() -> None:
    with pytest.raises(LanguageModelError, match="'nobody/model' cannot be opened"):
        open_language_model(LanguageModelConfig(model="nobody/model"))


def test_a_known_provider_is_opened_with_the_key_given() -> None:
    model = open_language_model(LanguageModelConfig(model="openai/some-model", api_key=KEY))
    assert model.name == "openai/some-model"


def test_the_key_is_in_no_representation() -> None:
    assert KEY not in repr(LanguageModelConfig(model="x", api_key=KEY))
