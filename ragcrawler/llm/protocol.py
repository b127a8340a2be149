"""The `LanguageModel` Protocol: a model fills in a form."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

FormT = TypeVar("FormT", bound="BaseModel")


class LanguageModelError(Exception):
    """A model is not available or does not work; the message names it and the next step, but no secrets."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt.

    Attributes:
        instructions: ours; what it has to do.
        material: what it is to do it with; text of strangers, which must not be obeyed.
        document: what many calls share, such as the page of a chunk; it is sent before the material, so that
            the prompt caches of providers hold it. Text of strangers as well.
    """

    instructions: str
    material: str
    document: str = ""


class LanguageModel(Protocol):
    """Answers in a form, never in free text; may be called from several threads."""

    @property
    def name(self) -> str:
        """Of the model, for reports and messages."""

    def fill(self, form: type[FormT], prompt: Prompt) -> FormT:
        """The form, filled in and valid; its docstring and field descriptions are shown to the model.

        Raises:
            LanguageModelError: the model gave no valid answer.
        """
