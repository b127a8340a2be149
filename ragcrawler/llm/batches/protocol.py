"""The `BatchService` Protocol: many calls handed over at once, answered within a day, for less."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ragcrawler.llm.calls.model import CallRequest
from ragcrawler.llm.calls.usage import Usage


@dataclass(frozen=True, slots=True)
class BatchCall:
    """One call of a batch.

    Attributes:
        name: by which its answer is known; unique in all batches.
        request: the call.
    """

    name: str
    request: CallRequest[Any]


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """The end of one call.

    Attributes:
        name: of the call; "" for a fault of the whole batch.
        answer: the fields of the form as JSON, unchecked; "" where there is none.
        usage: as the provider counted; nothing for a call that failed or expired.
        fault: why there is no answer, "" where there is one.
    """

    name: str
    answer: str = ""
    usage: Usage = field(default_factory=Usage)
    fault: str = ""


class BatchService(Protocol):
    """A provider's batch interface."""

    async def submit(self, token: str, calls: Sequence[BatchCall]) -> str:
        """Hand a batch over; its id.

        Args:
            token: of ours, by which `find` knows the batch.
            calls: at least one.

        Raises:
            ModelBusyError: it is not known whether the service has taken it.
            LanguageModelError: it was not taken.
        """

    async def find(self, token: str, calls: int) -> str:
        """The id of a batch that was submitted, of so many calls; "" where the service has none.

        Raises:
            LanguageModelError: the service does not answer.
        """

    async def is_over(self, batch_id: str) -> bool:
        """Whether all that will be answered is answered.

        Raises:
            LanguageModelError: the service does not answer, or does not know the batch.
        """

    def results(self, batch_id: str) -> AsyncIterator[BatchAnswer]:
        """The ends of calls, in any order; calls that were never begun may lack.

        Raises:
            LanguageModelError: the service does not answer.
        """

    async def cancel(self, batch_id: str) -> None:
        """Have it ended early; what is answered already is paid and kept.

        Raises:
            LanguageModelError: the service does not answer.
        """

    async def close(self) -> None:
        """Close connections."""
