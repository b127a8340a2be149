"""Language models through instructor, against an OpenAI-compatible endpoint on loopback."""

import json
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from ragcrawler.llm import LanguageModelConfig, LanguageModelError, Prompt, open_language_model

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
        ([{"ids": [1]}, "nonsense"], "gave no answer"),
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
