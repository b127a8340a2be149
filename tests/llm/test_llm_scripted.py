from pathlib import Path

import pytest
from pydantic import BaseModel

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.open import open_language_model
from ragcrawler.llm.protocol import LanguageModelError, Prompt
from ragcrawler.llm.scripted import ScriptedModel


class Form(BaseModel):
    text: str


def test_lines_are_given_in_order_and_prompts_kept() -> None:
    model = ScriptedModel([{"text": "one"}, lambda prompt: {"text": prompt.material.upper()}])
    assert model.fill(Form, Prompt("do", "x")).text == "one"
    assert model.fill(Form, Prompt("do", "abc")).text == "ABC"
    assert [prompt.material for prompt in model.prompts] == ["x", "abc"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "has 0 lines"),
        ([{"texts": 1}], "no Form"),
        ([LanguageModelError("away")], "away"),
    ],
)
def test_a_script_that_does_not_answer_says_so(lines: list, said: str) -> None:
    with pytest.raises(LanguageModelError, match=said):
        ScriptedModel(lines).fill(Form, Prompt("do", "x"))


def test_a_script_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"text": "one"}\n\n{"text": "two"}\n')
    model = open_language_model(LanguageModelConfig(model=f"scripted/{path}"))
    assert [model.fill(Form, Prompt("", "")).text for _ in range(2)] == ["one", "two"]


@pytest.mark.parametrize("content", ["[1]", "no json", None])
def test_a_file_that_is_no_script_is_refused(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "answers.jsonl"
    if content:
        path.write_text(content)
    with pytest.raises(LanguageModelError, match=r"the script '.*answers.jsonl'"):
        ScriptedModel.from_file(path)


def test_without_a_model_it_is_said_how_to_configure_one() -> None:
    with pytest.raises(LanguageModelError, match="set LLM_MODEL"):
        open_language_model(LanguageModelConfig())
