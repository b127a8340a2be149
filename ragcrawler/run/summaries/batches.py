"""Summaries through a provider's batch interface: submitted now, collected by a later run."""

import asyncio
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import ValidationError

from ragcrawler.config.models.summaries import SummariesConfig
from ragcrawler.llm.batches import (
    BatchAnswer,
    BatchCall,
    BatchRegister,
    BatchService,
    OpenBatch,
    Payment,
    Reservation,
    call_name,
)
from ragcrawler.llm.calls.budget import BudgetSpentError
from ragcrawler.llm.calls.call_key import call_key, expected_usage
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.model import CallRequest, ModelBusyError
from ragcrawler.llm.calls.usage import Price
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.run.summaries.stored_documents import StoredDocument
from ragcrawler.run.summaries.summary_request import SummaryForm, summary_requests

# Both providers take 50,000 calls and 200 MB.
_MOST_CALLS = 10_000
_MOST_CHARACTERS = 48 * 2**20
_SETTLED_AT_ONCE = 200
_TOKEN_BYTES = 6

Keyed = tuple[bytes, CallRequest[SummaryForm]]


@dataclass(slots=True)
class BatchSums:
    """What was done with batches.

    Attributes:
        submitted: calls handed over now.
        answered: calls that were paid now, with an answer.
        failed: calls that came to nothing: an error, expired, cancelled, or no valid form.
        under_way: calls in batches that are not over.
        faults: messages of failed calls, each once.
        spent: what the budget says of the next call, None where it lets all through.
    """

    submitted: int = 0
    answered: int = 0
    failed: int = 0
    under_way: int = 0
    faults: tuple[str, ...] = ()
    spent: BudgetSpentError | None = None


class SummaryBatches:
    """Submits the calls that the ledger does not have, and pays for those that are answered.

    Every call is reserved, and its batch entered, before it is submitted: whoever dies in between finds the
    batch again by its token.

    Args:
        service: of the provider.
        ledger: of the calls.
        account: that pays.
        config: of the summaries.
    """

    def __init__(
        self, service: BatchService, ledger: CallLedger, account: str, config: SummariesConfig
    ) -> None:
        self._service = service
        self._ledger = ledger
        self._config = config
        self._model = config.model.model
        self._price = _scaled(config.calls.price, config.batch_price_factor)
        self._register = BatchRegister(ledger, account, self._model)
        self.sums = BatchSums()

    async def collect(self) -> None:
        """Pay for what is answered; batches that are under way stay.

        Raises:
            LanguageModelError: the service does not answer, or the ledger cannot be written.
        """
        self.sums.under_way = 0
        for batch in self._register.open_batches():
            batch_id = batch.batch_id or await self._service.find(batch.token, len(batch.keys))
            if not batch_id:  # it never arrived
                self._register.forget(batch)
                continue
            self._register.set_id(batch.token, batch_id)
            if await self._service.is_over(batch_id):
                await self._settle(batch, batch_id)
            else:
                self.sums.under_way += len(batch.keys)

    async def submit(self, documents: Iterable[StoredDocument], limit: int | None) -> None:
        """Hand over what was not asked for yet, as far as limit and budget go.

        Raises:
            LanguageModelError: the service takes no batch, or the ledger cannot be written.
        """
        left = limit
        for calls in _portions(self._unasked(documents)):
            portion = calls if left is None else calls[:left]
            if portion:
                await self._submit(portion)
            left = None if left is None else left - len(portion)
            if self.sums.spent is not None or left == 0:
                return

    async def wait(self, seconds: float) -> None:
        """Ask again and again until no batch is under way; a service that is busy is asked once more.

        Args:
            seconds: between two rounds.
        """
        await self._collect_if_answered()
        while self.sums.under_way:
            await asyncio.sleep(seconds)
            await self._collect_if_answered()

    async def cancel(self) -> None:
        """Have all batches end early; what they answered until then is collected as ever."""
        for batch in self._register.open_batches():
            if batch.batch_id:
                await self._service.cancel(batch.batch_id)

    async def _collect_if_answered(self) -> None:
        try:
            await self.collect()
        except ModelBusyError:
            self.sums.under_way = sum(len(batch.keys) for batch in self._register.open_batches())

    async def _submit(self, calls: list[Keyed]) -> None:
        token = secrets.token_hex(_TOKEN_BYTES)
        reservations = [self._reservation(key, request) for key, request in calls]
        fitting, spent = self._register.begin(token, reservations, self._config.calls.budget)
        self.sums.spent = self.sums.spent or spent
        if not fitting:
            return
        named = [BatchCall(call_name(token, key), request) for key, request in calls[:fitting]]
        try:
            batch_id = await self._service.submit(token, named)
        except ModelBusyError:  # it may have arrived: the next run looks for it
            raise
        except LanguageModelError:
            self._register.forget(OpenBatch(token, "", {}))
            raise
        self._register.set_id(token, batch_id)
        self.sums.submitted += fitting
        self.sums.under_way += fitting

    def _reservation(self, key: bytes, request: CallRequest[SummaryForm]) -> Reservation:
        usage = expected_usage(request)
        return Reservation(key, usage, self._price.micro_dollars(usage))

    def _unasked(self, documents: Iterable[StoredDocument]) -> Iterator[Keyed]:
        """The calls of passages that are neither answered nor in a batch."""
        seen = {key for batch in self._register.open_batches() for key in batch.keys.values()}
        for stored in documents:
            for request in summary_requests(stored.bare, self._config.wording):
                key = call_key(self._model, request)
                if key not in seen and self._ledger.answer(key) is None:
                    seen.add(key)
                    yield key, request

    async def _settle(self, batch: OpenBatch, batch_id: str) -> None:
        payments: list[Payment] = []
        settled: set[str] = set()
        async for answer in self._service.results(batch_id):
            if not answer.name:
                self._fail(answer.fault, 0)
            elif answer.name in batch.keys and answer.name not in settled:
                settled.add(answer.name)
                payments.append(self._payment(batch.keys[answer.name], answer))
            if len(payments) >= _SETTLED_AT_ONCE:
                self._register.settle(payments)
                payments = []
        self._register.settle(payments)
        if lacking := len(batch.keys) - len(settled):
            self._fail("the batch ended without an answer to some calls", lacking)
        self._register.forget(batch)

    def _payment(self, key: bytes, answer: BatchAnswer) -> Payment:
        form = None
        if answer.fault:
            self._fail(answer.fault)
        else:
            form = self._form(answer.answer)
        self.sums.answered += form is not None
        return Payment(key, answer.usage, self._price.micro_dollars(answer.usage), form)

    def _form(self, answer: str) -> str | None:
        """The answer as the ledger keeps it; None where it is no valid form."""
        try:
            return SummaryForm.model_validate_json(answer).model_dump_json()
        except ValidationError:
            self._fail("the answer does not fit the form")
            return None

    def _fail(self, fault: str, calls: int = 1) -> None:
        self.sums.failed += calls
        self.sums.faults = tuple(dict.fromkeys((*self.sums.faults, fault)))


def _portions(calls: Iterable[Keyed]) -> Iterator[list[Keyed]]:
    """The calls, as many at a time as a batch takes."""
    portion: list[Keyed] = []
    characters = 0
    for key, request in calls:
        size = sum(map(len, (request.prompt.instructions, request.prompt.document, request.prompt.material)))
        if portion and (len(portion) == _MOST_CALLS or characters + size > _MOST_CHARACTERS):
            yield portion
            portion, characters = [], 0
        portion.append((key, request))
        characters += size
    if portion:
        yield portion


def _scaled(price: Price, factor: float) -> Price:
    return replace(
        price,
        input_tokens=price.input_tokens * factor,
        output_tokens=price.output_tokens * factor,
        cached_input_tokens=price.cached_input_tokens * factor,
    )
