"""A language model that reads its answers from a script, for tests, trials and machines without a model."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ragcrawler.llm.protocol import FormT, LanguageModelError, Prompt

Line = dict[str, Any] | Exception | Callable[[Prompt], dict[str, Any]]


class ScriptedModel:
    """A `LanguageModel` that gives its lines in order, each the fields of one form.

    A line may also be an exception, which is raised, or a function of the prompt. `prompts` is what it was
    told so far.
    """

    name = "scripted"

    def __init__(self, lines: Sequence[Line]) -> None:
        """Give these lines, one a call."""
        self._lines = list(lines)
        self.prompts: list[Prompt] = []

    @classmethod
    def from_file(cls, path: Path) -> "ScriptedModel":
        """Read one JSON object a line.

        Raises:
            LanguageModelError: the file cannot be read, or holds something else.
        """
        try:
            lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        except (OSError, ValueError) as error:
            raise LanguageModelError(f"the script {str(path)!r} cannot be read: {error}") from error
        if not all(isinstance(line, dict) for line in lines):
            raise LanguageModelError(f"the script {str(path)!r} holds a line that is no JSON object")
        return cls(lines)

    def fill(self, form: type[FormT], prompt: Prompt) -> FormT:
        from pydantic import ValidationError

        self.prompts.append(prompt)
        if len(self.prompts) > len(self._lines):
            raise LanguageModelError(f"the script has {len(self._lines)} lines, and one more was asked for")
        line = self._lines[len(self.prompts) - 1]
        if isinstance(line, Exception):
            raise line
        try:
            return form.model_validate(line(prompt) if callable(line) else line)
        except ValidationError as error:
            raise LanguageModelError(f"the script's line is no {form.__name__}: {error}") from error
