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


class ModelRefusedError(LanguageModelError):
    """The service refuses whoever asks, or does not know the model: no call will fare better."""


class InvalidAnswerError(LanguageModelError):
    """An answer came, was billed, and does not fit the form.

    Args:
        message: says what is wrong with it.
        usage: what it cost.
        is_final: asking again would give the same.
    """

    def __init__(self, message: str, usage: Usage, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.usage = usage
        self.is_final = is_final


@dataclass(frozen=True, slots=True)
class CallRequest(Generic[FormT]):
    """One call.

    Attributes:
        form: what is to be filled in.
        prompt: what the model is told.
        version: of the prompt's wording; another one makes another call of it.
        max_output_tokens: of the answer.
        subject: what the document of the prompt is, by a name that stays when its text changes: a change of
            it then makes no other call. "" where its text counts.
    """

    form: type[FormT] = field(repr=False)
    prompt: Prompt
    version: str
    max_output_tokens: int
    subject: str = ""


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
            ModelRefusedError: the service refuses whoever asks.
            LanguageModelError: it does not take this request.
        """

    async def close(self) -> None:
        """Close connections."""
