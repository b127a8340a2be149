"""A transaction that is repeated where the connection was lost, and never happens twice."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from ragcrawler.postgres.driver import is_loss

Result = TypeVar("Result")


class Transactions(Protocol):
    """The ends of transactions, on a connection."""

    def begin(self) -> int:
        """Begin one; the number by which the server knows it afterwards."""

    def commit(self) -> None: ...

    def roll_back(self) -> None: ...

    def was_committed(self, number: int) -> bool:
        """Whether one of a connection that was lost happened."""


class Attempts(Generic[Result]):
    """The tries of one transaction.

    Where the connection broke while it was committed, it is not known whether it happened: the next try asks
    the server first.
    """

    def __init__(self, transactions: Transactions, work: Callable[[], Result]) -> None:
        self._transactions = transactions
        self._work = work
        self._doubtful: tuple[int, Result] | None = None

    def try_again(self) -> Result:
        """The result of the work, committed."""
        if self._doubtful is not None:
            number, result = self._doubtful
            if self._transactions.was_committed(number):
                return result
            self._doubtful = None
        number = self._transactions.begin()
        try:
            result = self._work()
        except BaseException as error:
            if not (isinstance(error, Exception) and is_loss(error)):
                self._transactions.roll_back()
            raise
        self._doubtful = number, result
        self._transactions.commit()
        return result
