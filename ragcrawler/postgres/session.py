"""One session with a server: statements and transactions, repeated after a break."""

from collections.abc import Callable
from typing import Any, Self, TypeVar

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.driver import code_of, connect, explained, is_loss, is_of_driver
from ragcrawler.postgres.transaction import Attempts
from ragcrawler.postgres.waiting import BoundedWait, Patience

Result = TypeVar("Result")

_CONFLICTS = {"40001", "40P01"}  # of two transactions; one of them is to be repeated
_MOST_CONFLICTS = 20
_LOOK_SECONDS = 0.1


class PostgresSession:
    """A connection of one thread. One that is lost is made anew, and the work that it took along is repeated.

    Statements name their values: `rows("SELECT 1 WHERE :url = 'a'", url=...)`. They are prepared once, so
    their text must be the program's own and never be put together from values.

    Args:
        address: of the database.
        schema: where names are looked for first; "" for the user's.
        patience: with a server that is away; opening does not wait.

    Raises:
        PostgresError: the server cannot be used; every method raises it.
    """

    def __init__(
        self, address: PostgresAddress, *, schema: str = "", patience: Patience | None = None
    ) -> None:
        self.address = address
        self.schema = schema
        self._patience = patience or Patience()
        self._statements: dict[str, Any] = {}
        self._connection: Any = None
        self._is_in_transaction = False
        self._connect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; calling it twice is fine. What is asked afterwards opens another one."""
        connection, self._connection = self._connection, None
        self._statements.clear()
        if connection is not None:
            try:
                connection.close()
            except Exception as error:
                if not is_loss(error):
                    raise

    def rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows that a statement gives, none where it gives nothing.

        In a transaction it is a part of that, else it stands alone and may be repeated.
        """
        if self._is_in_transaction:
            return self._run(query, values)
        return self._persistently(lambda: self._run(query, values))

    def script(self, statements: str) -> None:
        """Run several statements without values: all of them, or none."""
        self.transaction(lambda: self._connected().run(statements))

    def transaction(self, work: Callable[[], Result]) -> Result:
        """Call a function; all that it writes happens, or nothing. In another transaction it is a part of it.

        It is called again where the connection was lost, or where another transaction was in its way; so
        it must have no effects but on the database. A transaction of which it is not known whether it
        happened does not happen twice: the server is asked.
        """
        if self._is_in_transaction:
            return work()
        return self._persistently(Attempts(self, work).try_again)

    def begin(self) -> int:
        """Begin a transaction; for `transaction`, which ends it as well."""
        ((number,),) = self._connected().run("BEGIN; SELECT pg_current_xact_id()::text")
        self._is_in_transaction = True
        return int(number)

    def commit(self) -> None:
        """For `transaction`."""
        self._is_in_transaction = False
        self._connected().run("COMMIT")

    def roll_back(self) -> None:
        """For `transaction`."""
        self._is_in_transaction = False
        self._connected().run("ROLLBACK")

    def was_committed(self, number: int) -> bool:
        """Whether a transaction of a connection that was lost happened; for `transaction`."""
        while True:
            ((status,),) = self._run("SELECT pg_xact_status(:number::xid8)", {"number": str(number)})
            if status != "in progress":
                return bool(status == "committed")
            self._patience.pause(_LOOK_SECONDS)  # the server has not noticed yet that its client is gone

    def _persistently(self, call: Callable[[], Result]) -> Result:
        """The result of a call that is repeated while the server is away, and after conflicts."""
        waiting, conflicts = BoundedWait(self._patience), 0
        while True:
            try:
                result = call()
            except Exception as error:
                self._is_in_transaction = False
                if code_of(error) in _CONFLICTS and conflicts < _MOST_CONFLICTS:
                    conflicts += 1
                elif is_loss(error):
                    self.close()
                    waiting.wait(explained(error, self.address))
                elif is_of_driver(error):
                    raise explained(error, self.address) from error
                else:
                    raise
            else:
                waiting.over(self.address.shown)
                return result

    def _run(self, query: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        connection = self._connected()
        statement = self._statements.get(query)
        if statement is None:
            statement = self._statements[query] = connection.prepare(query)
        return [tuple(row) for row in statement.run(**values) or ()]

    def _connected(self) -> Any:
        if self._connection is None:
            self._connect()
        return self._connection

    def _connect(self) -> None:
        self._connection = connect(self.address)
        if self.schema:
            path = f'"{self.schema}", public'
            self._run("SELECT set_config('search_path', :path, false)", {"path": path})
