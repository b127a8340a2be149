"""Makes calls: at most so many at once, no faster than allowed, within a budget, and each one once."""

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from pydantic import ValidationError

from ragcrawler.llm.calls.budget import CallerConfig
from ragcrawler.llm.calls.call_key import call_key, expected_usage
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.model import (
    AsyncLanguageModel,
    CallRequest,
    InvalidAnswerError,
    ModelBusyError,
    ModelRefusedError,
)
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.protocol import FormT, LanguageModelError
from ragcrawler.services import RateLimit

_FIRST_WAIT_SECONDS = 1.0
# So many calls in a row that a service did not answer, with all their repetitions: no further one is sent.
_MOST_GIVEN_UP = 5


@dataclass(frozen=True, slots=True)
class ModelReply(Generic[FormT]):
    """An answer.

    Attributes:
        form: filled in.
        usage: what it used now; nothing where the ledger had it.
        was_paid_before: the ledger had it.
    """

    form: FormT
    usage: Usage
    was_paid_before: bool


class ModelCaller:
    """Asks one model on behalf of one account; its methods run in one event loop.

    Who waits for a call may be cancelled: what was sent is awaited all the same, and paid.

    Args:
        model: that is asked.
        ledger: of all calls.
        account: that pays; budgets are counted by account.
        config: how.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        model: AsyncLanguageModel,
        ledger: CallLedger,
        account: str,
        config: CallerConfig,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._ledger = ledger
        self._account = account
        self._config = config
        self._at_once = asyncio.Semaphore(config.concurrency)
        self._rate = RateLimit(config.requests_per_minute, config.tokens_per_minute, clock)
        self._under_way: dict[bytes, asyncio.Future[Any]] = {}
        self._sent: set[asyncio.Task[Any]] = set()
        self._given_up = 0
        self._broken: LanguageModelError | None = None

    async def fill(self, request: CallRequest[FormT]) -> ModelReply[FormT]:
        """The answer: from the ledger, from an equal call that is under way, or from the model.

        Raises:
            BudgetSpentError: the call would break the budget; it was not sent.
            LanguageModelError: no valid answer came.
        """
        if (known := await self.find_known(request)) is not None:
            return known
        key = call_key(self._model.name, request)
        if key in self._under_way:
            return ModelReply(await asyncio.shield(self._under_way[key]), Usage(), was_paid_before=True)
        answered = self._under_way[key] = asyncio.get_running_loop().create_future()
        try:
            async with self._at_once:
                form, usage = await self._attempts(key, request)
            answered.set_result(form)
        except BaseException as error:
            # Whoever waits for this call gets its error; where no call waits it is raised here alone.
            answered.set_exception(error if isinstance(error, Exception) else LanguageModelError("cancelled"))
            answered.exception()
            raise
        finally:
            del self._under_way[key]
        return ModelReply(form, usage, was_paid_before=False)

    async def find_known(self, request: CallRequest[FormT]) -> ModelReply[FormT] | None:
        """The answer that the ledger has, or that an equal call under way brings; None where there is none.

        Raises:
            LanguageModelError: the ledger cannot be read, or that call fails.
        """
        key = call_key(self._model.name, request)
        if key in self._under_way:
            return ModelReply(await asyncio.shield(self._under_way[key]), Usage(), was_paid_before=True)
        answer = await asyncio.to_thread(self._ledger.answer, key)
        if answer is None:
            return None
        try:
            return ModelReply(request.form.model_validate_json(answer), Usage(), was_paid_before=True)
        except ValidationError:  # the form asks for more than it did when this was written
            return None

    async def close(self) -> None:
        """Wait for what was sent, then close the model."""
        await asyncio.gather(*self._sent, return_exceptions=True)
        await self._model.close()

    async def _attempts(self, key: bytes, request: CallRequest[FormT]) -> tuple[FormT, Usage]:
        spent, invalid, busy = Usage(), 0, 0
        while True:
            if self._broken is not None:
                raise self._broken
            expected = expected_usage(request)
            await self._rate.turn(expected.tokens)
            try:
                form, usage = await self._sent_to_the_end(key, request, expected)
            except ModelBusyError as error:
                busy += 1
                self._rate.pause(self._wait(error, busy))
            except InvalidAnswerError as error:
                spent += error.usage
                invalid += 1
                if error.is_final or invalid == self._config.attempts:
                    raise
            except ModelRefusedError as error:
                self._broken = error
                raise
            else:
                self._given_up = 0
                return form, spent + usage

    async def _sent_to_the_end(
        self, key: bytes, request: CallRequest[FormT], expected: Usage
    ) -> tuple[FormT, Usage]:
        task = asyncio.create_task(self._once(key, request, expected))
        self._sent.add(task)
        task.add_done_callback(self._end_call)
        return await asyncio.shield(task)

    async def _once(self, key: bytes, request: CallRequest[FormT], expected: Usage) -> tuple[FormT, Usage]:
        """One request: reserved, sent, and paid or released, whatever happens."""
        cost = self._config.price.micro_dollars
        reserve = (key, self._account, self._model.name, expected, cost(expected), self._config.budget)
        await asyncio.to_thread(self._ledger.reserve, *reserve)
        try:
            form, usage = await self._model.fill(request)
        except InvalidAnswerError as error:
            await asyncio.to_thread(self._ledger.pay, key, error.usage, cost(error.usage), None)
            raise
        except LanguageModelError as error:
            may_be_billed = isinstance(error, ModelBusyError) and error.may_be_billed
            await asyncio.to_thread(self._ledger.release, key, may_be_billed=may_be_billed)
            raise
        await asyncio.to_thread(self._ledger.pay, key, usage, cost(usage), form.model_dump_json())
        return form, usage

    def _end_call(self, task: "asyncio.Task[Any]") -> None:
        self._sent.discard(task)
        if not task.cancelled():
            task.exception()  # no task may be left that would ask for it

    def _wait(self, error: ModelBusyError, failures: int) -> float:
        """Seconds until the next attempt.

        Raises:
            LanguageModelError: it is not worth another attempt.
        """
        longest = self._config.longest_wait_seconds
        if failures > self._config.retries:
            raise self._give_up(f"{error}; given up after {failures} requests") from error
        if error.seconds is None:
            backoff = min(_FIRST_WAIT_SECONDS * 2.0 ** (failures - 1), longest)
            return backoff * random.uniform(0.5, 1.0)  # noqa: S311 - so that not all come back at once
        if error.seconds > longest:
            raise self._give_up(f"{error}; it asks to wait for {error.seconds:.0f} seconds") from error
        return error.seconds

    def _give_up(self, message: str) -> LanguageModelError:
        self._given_up += 1
        if self._given_up >= _MOST_GIVEN_UP:
            self._broken = LanguageModelError(
                f"{message}; {self._given_up} calls in a row came to nothing: this run sends no more"
            )
        return self._broken or LanguageModelError(message)
