"""Other wordings of a question by a language model."""

import json
from typing import Annotated

from pydantic import BaseModel, Field

from ragcrawler.llm.protocol import LanguageModel, Prompt

_MOST_WORDINGS = 3
_LONGEST = 300  # characters; a wording is a question, not an answer
_INSTRUCTIONS = """\
Write up to three other wordings of the question that you are shown as JSON, with the words that documents
which answer it would use. Keep names, codes and numbers as they are written. Do not answer it."""


class Wordings(BaseModel):
    """Other wordings of the question."""

    questions: Annotated[list[str], Field(description="Up to three other wordings")]


class ModelExpander:
    """An `Expander` that asks a language model."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def __call__(self, query: str) -> list[str]:
        """At most three wordings, none of them empty or the question itself.

        Raises:
            LanguageModelError: the model gave no valid answer.
        """
        prompt = Prompt(_INSTRUCTIONS, json.dumps({"question": query}, ensure_ascii=False))
        written = (each.strip()[:_LONGEST] for each in self._model.fill(Wordings, prompt).questions)
        return [each for each in dict.fromkeys(written) if each and each != query][:_MOST_WORDINGS]
