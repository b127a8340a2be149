"""The configuration of a language model."""

from dataclasses import dataclass, field
from typing import Literal

OutputMode = Literal["tools", "json_schema", "json"]


@dataclass(frozen=True, slots=True)
class LanguageModelConfig:
    """Which model to ask, and how.

    Attributes:
        model: "provider/name" as instructor knows it, a bare name with a `base_url`, or "scripted/FILE"; ""
            for none.
        base_url: of an OpenAI-compatible endpoint; "" for the provider's own.
        api_key: "" leaves it to the provider's own variable; kept out of `repr` and of every message.
        output: how the form is asked for: as a tool call, by a JSON schema, or by the prompt.
        timeout_seconds: how long one request may take.
        attempts: how often a form is asked for until it is valid.
        max_output_tokens: of one answer.
        max_output_setting: that says so, for messages.
    """

    model: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    output: OutputMode = "tools"
    timeout_seconds: float = 60.0
    attempts: int = 2
    max_output_tokens: int = 2048
    max_output_setting: str = "LLM_MAX_OUTPUT_TOKENS"
