"""The batches under way, in the ledger of calls: entered before they are submitted."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ragcrawler.llm.calls.budget import BudgetSpentError, CallBudget
from ragcrawler.llm.calls.ledger import PAY, RELEASE, RESERVE, CallLedger, payment
from ragcrawler.llm.calls.usage import Usage

_NAME_DIGITS = 48  # with the token at most 64 characters, which is what providers take


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that is to go into a batch.

    Attributes:
        key: of the call.
        usage: the most that it is expected to use.
        cost: of that, in micro-dollars.
    """

    key: bytes
    usage: Usage
    cost: int


@dataclass(frozen=True, slots=True)
class Payment:
    """The end of a call.

    Attributes:
        key: of the call.
        usage: as the provider counted.
        cost: of that, in micro-dollars.
        answer: JSON; None where there is none, so that it may be made again.
    """

    key: bytes
    usage: Usage
    cost: int
    answer: str | None


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch that has not been settled.

    Attributes:
        token: of ours.
        batch_id: of the provider; "" where the process ended before it was known.
        keys: of the calls that are not settled yet, by the names that they have in the batch.
    """

    token: str
    batch_id: str
    keys: Mapping[str, bytes]


class BatchRegister:
    """Batches of one account and model.

    Args:
        ledger: of all calls.
        account: that pays.
        model: that is asked.
        clock: seconds since the epoch.
    """

    def __init__(
        self, ledger: CallLedger, account: str, model: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._ledger = ledger
        self._account = account
        self._model = model
        self._clock = clock

    def begin(
        self, token: str, calls: Sequence[Reservation], budget: CallBudget
    ) -> tuple[int, BudgetSpentError | None]:
        """Reserve calls, and enter the batch that is about to be submitted.

        Returns:
            How many of them, from the first on, the budget lets through, and what it says of the next one.
            Where there is none to submit nothing is entered.

        Raises:
            LanguageModelError: the file cannot be written.
        """
        sums = self._ledger.sums(self._account)
        spent: BudgetSpentError | None = None
        fitting = list(calls)
        made, tokens, cost = sums.calls, sums.tokens, sums.micro_dollars
        for index, call in enumerate(calls):
            made, tokens, cost = made + 1, tokens + call.usage.tokens, cost + call.cost
            try:
                budget.check(made, tokens, cost)
            except BudgetSpentError as error:
                fitting, spent = list(calls[:index]), error
                break
        if fitting:
            self._enter(token, fitting)
        return len(fitting), spent

    def set_id(self, token: str, batch_id: str) -> None:
        """Remember what the provider calls a batch."""
        with self._ledger.transaction() as database:
            database.execute("UPDATE batches SET batch_id = ? WHERE token = ?", (batch_id, token))

    def open_batches(self) -> list[OpenBatch]:
        """Those that are not settled."""
        with self._ledger.transaction() as database:
            rows = database.execute(
                "SELECT token, batch_id FROM batches WHERE account = ? AND model = ? ORDER BY rowid",
                (self._account, self._model),
            ).fetchall()
            keys = {
                token: [
                    row[0]
                    for row in database.execute("SELECT key FROM batch_calls WHERE token = ?", (token,))
                ]
                for token, _ in rows
            }
        return [
            OpenBatch(token, batch_id or "", {call_name(token, key): key for key in keys[token]})
            for token, batch_id in rows
        ]

    def settle(self, payments: Sequence[Payment]) -> None:
        """Pay for calls that have ended; they leave their batch in the same moment."""
        with self._ledger.transaction() as database:
            for each in payments:
                database.execute(PAY, payment(each.key, each.usage, each.cost, each.answer, self._clock()))
                database.execute("DELETE FROM batch_calls WHERE key = ?", (each.key,))

    def forget(self, batch: OpenBatch) -> None:
        """Let a batch go; calls that are still in it are released: they were not billed."""
        with self._ledger.transaction() as database:
            rows = database.execute("SELECT key FROM batch_calls WHERE token = ?", (batch.token,)).fetchall()
            for (key,) in rows:
                database.execute(RELEASE, (0, 0, self._clock(), key))
            database.execute("DELETE FROM batch_calls WHERE token = ?", (batch.token,))
            database.execute("DELETE FROM batches WHERE token = ?", (batch.token,))

    def _enter(self, token: str, calls: Sequence[Reservation]) -> None:
        with self._ledger.transaction() as database:
            database.execute(
                "INSERT INTO batches VALUES (?, ?, ?, NULL)", (token, self._account, self._model)
            )
            for call in calls:
                row = (call.key, self._account, self._model, call.usage.tokens, call.cost, self._clock())
                database.execute(RESERVE, row)
                database.execute("INSERT INTO batch_calls VALUES (?, ?)", (call.key, token))


def call_name(token: str, key: bytes) -> str:
    """The name of a call in a batch."""
    return f"{token}-{key.hex()[:_NAME_DIGITS]}"
