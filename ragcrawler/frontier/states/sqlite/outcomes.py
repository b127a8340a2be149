"""The numbers that stand for outcomes in the rows of URLs."""

from collections.abc import Mapping

from ragcrawler.frontier.states.records import NOFOLLOW, Status, UrlCounts
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

    def added_up(self, amounts: Mapping[int, int]) -> UrlCounts:
        """How many rows have each number, by status and reason."""
        by_reason: dict[Status, dict[str, int]] = {"skipped": {}, "failed": {}}
        for state, amount in amounts.items():
            status, reason = self._outcomes[state]
            if amount and status in by_reason:
                by_reason[status][reason] = amount
        still_open = amounts.get(QUEUED, 0) + amounts.get(LEASED, 0)
        seen, fetched = sum(amounts.values()), amounts.get(FETCHED, 0)
        return UrlCounts(seen, still_open, fetched, by_reason["skipped"], by_reason["failed"])

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
