"""The ledger of calls: each is entered before it is sent, and paid with its answer."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.llm.calls.budget import CallBudget
from ragcrawler.llm.calls.usage import Usage
from ragcrawler.llm.protocol import LanguageModelError

_VERSION = 1
_SCHEMA = """
CREATE TABLE calls (
    key BLOB PRIMARY KEY,
    account TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('reserved', 'released', 'paid')),
    calls INTEGER NOT NULL,
    reserved_tokens INTEGER NOT NULL,
    reserved_cost INTEGER NOT NULL,
    presumed_tokens INTEGER NOT NULL DEFAULT 0,
    presumed_cost INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_input_tokens INTEGER NOT NULL DEFAULT 0,
    cost INTEGER NOT NULL DEFAULT 0,
    answer TEXT,
    changed_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX calls_by_account ON calls (account);
"""
# An earlier release, which knows neither, reads the file all the same.
_BATCHES = """
CREATE TABLE IF NOT EXISTS batches (
    token TEXT PRIMARY KEY, account TEXT NOT NULL, model TEXT NOT NULL, batch_id TEXT
);
CREATE TABLE IF NOT EXISTS batch_calls (key BLOB PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
"""
_BUSY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class AccountSums:
    """The spending of an account.

    Attributes:
        calls: requests sent, failed ones included.
        paid: calls with an answer.
        usage: as the provider counted.
        presumed_tokens: of calls whose end is unknown: the process died, or the service did not answer in
            time. They may have been billed, so they count against the budget.
        micro_dollars: the cost of all that, presumed calls included.
        reserved_tokens: of calls that are under way.
    """

    calls: int
    paid: int
    usage: Usage
    presumed_tokens: int
    micro_dollars: int
    reserved_tokens: int

    @property
    def tokens(self) -> int:
        """Counted, presumed and reserved."""
        return self.usage.tokens + self.presumed_tokens + self.reserved_tokens


class CallLedger:
    """One SQLite file for all calls of a project; several threads and processes may use it.

    A call that is paid is never made again. One that was reserved when its process died is made again, and
    its reservation stays in the sums: at most the calls under way are paid twice.

    Args:
        path: of the file; None for one in memory.
        clock: seconds since the epoch.
    """

    def __init__(self, path: Path | None, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._path = path
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._open()
        except (sqlite3.Error, OSError) as error:
            raise self._error(error) from error

    def answer(self, key: bytes) -> str | None:
        """The answer that was paid for, as JSON; None where there is none."""
        rows = self._rows("SELECT answer FROM calls WHERE key = ? AND state = 'paid'", (key,))
        return str(rows[0][0]) if rows else None

    def reserve(
        self, key: bytes, account: str, model: str, usage: Usage, cost: int, budget: CallBudget
    ) -> None:
        """Enter a call that is about to be sent.

        Args:
            key: of the call.
            account: that pays.
            model: that is asked.
            usage: the most that the call is expected to use.
            cost: of that usage, in micro-dollars.
            budget: of the account.

        Raises:
            BudgetSpentError: the call would break the budget; nothing is entered.
            LanguageModelError: the file cannot be written, or the call is in a batch that is under way.
        """
        with self.transaction() as database:
            if database.execute("SELECT 1 FROM batch_calls WHERE key = ?", (key,)).fetchone():
                raise LanguageModelError(
                    "the call is in a batch that is under way: `scrapy summarize --batch` brings its answer"
                )
            if budget.is_bounded:
                sums = self._sums(account)
                budget.check(sums.calls + 1, sums.tokens + usage.tokens, sums.micro_dollars + cost)
            database.execute(RESERVE, (key, account, model, usage.tokens, cost, self._clock()))

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Several statements that count together or not at all; no other method may be called within.

        Raises:
            LanguageModelError: the file cannot be written.
        """
        with self._lock:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                try:
                    yield self._database
                    self._database.execute("COMMIT")
                except BaseException:
                    if self._database.in_transaction:  # a full disk ends it by itself
                        self._database.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise self._error(error) from error

    def pay(self, key: bytes, usage: Usage, cost: int, answer: str | None) -> None:
        """Replace a reservation by what was billed; without an answer the call may be made again."""
        self._rows(PAY, payment(key, usage, cost, answer, self._clock()))

    def release(self, key: bytes, *, may_be_billed: bool) -> None:
        """Give a reservation back: nothing came of the call."""
        presumed = int(may_be_billed)
        self._rows(RELEASE, (presumed, presumed, self._clock(), key))

    def forget(self, is_unwanted: Callable[[str], bool], *, account: str, is_dry: bool = False) -> int:
        """Forget answers of an account, but not what they cost; or only look. How many there are.

        Args:
            is_unwanted: says so of an answer, JSON.
            account: that paid.
            is_dry: change nothing.
        """
        query = "SELECT key, answer FROM calls WHERE account = ? AND state = 'paid'"
        keys = [key for key, answer in self._rows(query, (account,)) if is_unwanted(str(answer))]
        if not is_dry:
            with self.transaction() as database:
                database.executemany(
                    "UPDATE calls SET state = 'released', answer = NULL WHERE key = ?",
                    [(key,) for key in keys],
                )
        return len(keys)

    def sums(self, account: str) -> AccountSums:
        """The spending of an account so far."""
        with self._lock:
            try:
                return self._sums(account)
            except sqlite3.Error as error:
                raise self._error(error) from error

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def _sums(self, account: str) -> AccountSums:
        row = self._database.execute(_SUMS, (account,)).fetchone()
        calls, paid, read, written, cached, presumed, cost, reserved = (int(value or 0) for value in row)
        return AccountSums(calls, paid, Usage(read, written, cached), presumed, cost, reserved)

    def _rows(self, statement: str, values: tuple[object, ...]) -> list[tuple[object, ...]]:
        with self._lock:
            try:
                return self._database.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise self._error(error) from error

    def _open(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        # An answer that is paid for should outlive a power cut.
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("BEGIN IMMEDIATE")
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                self._database.execute(statement)
            self._database.execute(f"PRAGMA user_version = {_VERSION}")
        for statement in filter(str.strip, _BATCHES.split(";")):
            self._database.execute(statement)
        self._database.execute("COMMIT")
        if version not in (0, _VERSION):
            raise LanguageModelError(
                f"the ledger of calls {self._path} has version {version}, and this program reads {_VERSION}; "
                "set LLM_LEDGER_PATH to another file"
            )

    def _error(self, error: sqlite3.Error | OSError) -> LanguageModelError:
        return LanguageModelError(
            f"the ledger of calls {self._path} cannot be used: {error}; no call is made without it. "
            "Check the disk, or set LLM_LEDGER_PATH to another file"
        )


def payment(key: bytes, usage: Usage, cost: int, answer: str | None, now: float) -> tuple[object, ...]:
    """The values of `PAY`."""
    state = "released" if answer is None else "paid"
    counts = (usage.input_tokens, usage.output_tokens, usage.cached_input_tokens)
    return (state, *counts, cost, answer, now, key)


RESERVE = """
INSERT INTO calls (key, account, model, state, calls, reserved_tokens, reserved_cost, changed_at)
VALUES (?1, ?2, ?3, 'reserved', 1, ?4, ?5, ?6)
ON CONFLICT (key) DO UPDATE SET
    account = excluded.account,
    state = 'reserved',
    calls = calls + 1,
    presumed_tokens = presumed_tokens + reserved_tokens,
    presumed_cost = presumed_cost + reserved_cost,
    reserved_tokens = excluded.reserved_tokens,
    reserved_cost = excluded.reserved_cost,
    changed_at = excluded.changed_at
"""
PAY = """
UPDATE calls SET
    state = ?, reserved_tokens = 0, reserved_cost = 0,
    input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,
    cached_input_tokens = cached_input_tokens + ?, cost = cost + ?, answer = ?, changed_at = ?
WHERE key = ?
"""
RELEASE = """
UPDATE calls SET
    state = 'released',
    presumed_tokens = presumed_tokens + ? * reserved_tokens,
    presumed_cost = presumed_cost + ? * reserved_cost,
    reserved_tokens = 0, reserved_cost = 0, changed_at = ?
WHERE key = ?
"""
_SUMS = """
SELECT sum(calls), sum(state = 'paid'), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens),
    sum(presumed_tokens), sum(cost + presumed_cost + reserved_cost), sum(reserved_tokens)
FROM calls WHERE account = ?
"""
