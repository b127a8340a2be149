"""Makes calls: at most so many at once, no faster than allowed, within a budget, and each one once."""

import asyncio
import hashlib
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic

from ragcrawler.llm.calls.budget import CallBudget
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.model import AsyncLanguageModel, CallRequest, InvalidAnswerError, ModelBusyError
from ragcrawler.llm.calls.usage import Price, Usage
from ragcrawler.llm.protocol import FormT, LanguageModelError
from ragcrawler.services import RateLimit

_FIRST_WAIT_SECONDS = 1.0
# English text has four characters a token; a reservation may be too high, and should not be too low.
_CHARACTERS_A_TOKEN = 3
_OVERHEAD_TOKENS = 50


@dataclass(frozen=True, slots=True)
class CallerConfig:
    """How calls are made.

    Attributes:
        concurrency: calls under way at once; also the most that a kill can let be paid twice.
        requests_per_minute: 0 is without a limit.
        tokens_per_minute: likewise.
        attempts: how often one call is sent until a valid answer comes.
        longest_wait_seconds: that a service may ask for before the call counts as failed.
        price: of the model's tokens.
        budget: of the account.
    """

    concurrency: int = 4
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    attempts: int = 4
    longest_wait_seconds: float = 120.0
    price: Price = field(default_factory=Price)
    budget: CallBudget = field(default_factory=CallBudget)


@dataclass(frozen=True, slots=True)
class Reply(Generic[FormT]):
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

    async def fill(self, request: CallRequest[FormT]) -> Reply[FormT]:
        """The answer: from the ledger, from an equal call that is under way, or from the model.

        Raises:
            BudgetSpentError: the call would break the budget; it was not sent.
            LanguageModelError: no valid answer came.
        """
        key = call_key(self._model.name, request)
        if key in self._under_way:
            return Reply(await asyncio.shield(self._under_way[key]), Usage(), was_paid_before=True)
        known = await asyncio.to_thread(self._ledger.answer, key)
        if known is not None:
            return Reply(request.form.model_validate_json(known), Usage(), was_paid_before=True)
        if key in self._under_way:  # another one began while the ledger was asked
            return Reply(await asyncio.shield(self._under_way[key]), Usage(), was_paid_before=True)
        answered = self._under_way[key] = asyncio.get_running_loop().create_future()
        try:
            async with self._at_once:
                form, usage = await self._attempts(key, request)
            answered.set_result(form)
        except BaseException as error:
            # Whoever waits for this call gets its error; where nobody waits it is raised here alone.
            answered.set_exception(error if isinstance(error, Exception) else LanguageModelError("cancelled"))
            answered.exception()
            raise
        finally:
            del self._under_way[key]
        return Reply(form, usage, was_paid_before=False)

    async def _attempts(self, key: bytes, request: CallRequest[FormT]) -> tuple[FormT, Usage]:
        spent = Usage()
        for attempt in range(1, self._config.attempts + 1):
            try:
                form, usage = await self._once(key, request)
            except ModelBusyError as error:
                self._rate.pause(self._wait(error, attempt))
            except InvalidAnswerError as error:
                spent += error.usage
                if attempt == self._config.attempts:
                    raise
            else:
                return form, spent + usage
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, key: bytes, request: CallRequest[FormT]) -> tuple[FormT, Usage]:
        """One request: reserved, sent, and paid or released, whatever happens."""
        expected = expected_usage(request)
        await self._rate.turn(expected.tokens)
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
        # A call that was cancelled stays reserved: it is under way at the service.
        await asyncio.to_thread(self._ledger.pay, key, usage, cost(usage), form.model_dump_json())
        return form, usage

    def _wait(self, error: ModelBusyError, attempt: int) -> float:
        """Seconds until the next attempt.

        Raises:
            LanguageModelError: it is not worth another attempt.
        """
        longest = self._config.longest_wait_seconds
        if attempt == self._config.attempts:
            raise LanguageModelError(f"{error}; given up after {attempt} requests") from error
        if error.seconds is None:
            backoff = min(_FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1), longest)
            return backoff * random.uniform(0.5, 1.0)  # noqa: S311 - so that not all come back at once
        if error.seconds > longest:
            raise LanguageModelError(f"{error}; it asks to wait for {error.seconds:.0f} seconds") from error
        return error.seconds


def call_key(model: str, request: CallRequest[Any]) -> bytes:
    """The key of a call: model, prompt, its version, form and length of the answer."""
    prompt = request.prompt
    parts = [
        model,
        request.version,
        prompt.instructions,
        prompt.document,
        prompt.material,
        request.form.model_json_schema(),
        request.max_output_tokens,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()


def expected_usage(request: CallRequest[Any]) -> Usage:
    """The most that a call is expected to use, by the length of its texts."""
    prompt = request.prompt
    schema = json.dumps(request.form.model_json_schema())
    characters = len(prompt.instructions) + len(prompt.document) + len(prompt.material) + len(schema)
    return Usage(characters // _CHARACTERS_A_TOKEN + _OVERHEAD_TOKENS, request.max_output_tokens)
