"""A language model that is asked for many forms at a time, and says what each answer used."""

from dataclasses import dataclass, field
from typing import Generic, Protocol

from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.protocol import FormT, LanguageModelError, Prompt


class ModelBusyError(LanguageModelError):
    """The service cannot answer now; asking again may help.

    Args:
        message: says what happened.
        seconds: when the service wants to be asked again; None where it does not say.
        may_be_billed: whether the service may have done the work all the same.
    """

    def __init__(self, message: str, seconds: float | None = None, *, may_be_billed: bool = False) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.may_be_billed = may_be_billed


class InvalidAnswerError(LanguageModelError):
    """An answer came, was billed, and does not fit the form.

    Args:
        message: says what is wrong with it.
        usage: what it cost.
    """

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


@dataclass(frozen=True, slots=True)
class CallRequest(Generic[FormT]):
    """One call.

    Attributes:
        form: what is to be filled in.
        prompt: what the model is told.
        version: of the prompt's wording; another one makes another call of it.
        max_output_tokens: of the answer.
    """

    form: type[FormT] = field(repr=False)
    prompt: Prompt
    version: str
    max_output_tokens: int


class AsyncLanguageModel(Protocol):
    """Answers in a form; many calls may be under way at once."""

    @property
    def name(self) -> str:
        """Of the model, for the ledger, reports and messages."""

    async def fill(self, request: CallRequest[FormT]) -> tuple[FormT, Usage]:
        """Send one request, and no second one.

        Raises:
            ModelBusyError: too many requests, a server's error, or no answer in time.
            InvalidAnswerError: the answer does not fit the form.
            LanguageModelError: the service refuses whoever asks.
        """

    async def close(self) -> None:
        """Close connections."""
