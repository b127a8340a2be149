"""The numbers that stand for outcomes in the rows of URLs."""

from ragcrawler.frontier.states.records import NOFOLLOW, Status
from ragcrawler.frontier.states.sqlite.database import StateDatabase

QUEUED, LEASED, FETCHED, SKIPPED_NOFOLLOW = 0, 1, 2, 3
_FIRST_OTHER = 4


class Outcomes:
    """Status and reason of each number; those beside the first four are entered as they come up.

    Args:
        database: of the state.
    """

    def __init__(self, database: StateDatabase) -> None:
        self._database = database
        self._outcomes: dict[int, tuple[Status, str]] = {}
        self._numbers: dict[tuple[Status, str], int] = {}
        self.load()

    def __getitem__(self, state: int) -> tuple[Status, str]:
        """Status and reason."""
        return self._outcomes[state]

    def number_of(self, status: Status, reason: str) -> int:
        """The number of an outcome; of an open record that nobody holds, where it is open."""
        number = self._numbers.get((status, reason))
        if number is None:
            number = max(_FIRST_OTHER, 1 + max(self._outcomes))
            self._database.write("INSERT INTO outcomes VALUES (?, ?, ?)", (number, status, reason))
            self._numbers[status, reason] = number
            self._outcomes[number] = (status, reason)
        return number

    def load(self) -> None:
        """Read what is in the table."""
        self._outcomes = {
            QUEUED: ("open", ""),
            LEASED: ("open", ""),
            FETCHED: ("fetched", ""),
            SKIPPED_NOFOLLOW: ("skipped", NOFOLLOW),
        }
        for state, status, reason in self._database.read("SELECT state, status, reason FROM outcomes"):
            self._outcomes[state] = (status, reason)
        self._numbers = {outcome: state for state, outcome in self._outcomes.items() if state != LEASED}
