"""Which engines are left alone, and until when: kept over restarts, for all runs of one output folder."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.search_engines.answer import SearchState

_BUSY_SECONDS = 10.0
_DAY = 24 * 3600.0
LONGEST_SECONDS = 15 * _DAY
_RECAPTCHA_SECONDS = 7 * _DAY
# The times of SearXNG. A failure of the network is tried again soon: its rest doubles with each in a row.
_SECONDS = {
    SearchState.BLOCKED: 180.0,
    SearchState.CAPTCHA: 3600.0,
    SearchState.CONSENT: 3600.0,
    SearchState.TIMEOUT: 5.0,
    SearchState.FAILED: 5.0,
}
_DOUBLING = {SearchState.TIMEOUT, SearchState.FAILED}
_LONGEST_DOUBLED_SECONDS = 120.0
# Captchas that their makers remember the longest, by what stands in the message.
_CAPTCHAS = {"recaptcha": _RECAPTCHA_SECONDS, "cloudflare": LONGEST_SECONDS}


class SuspensionStoreError(Exception):
    """The file of the suspensions cannot be used; says which, and why."""


@dataclass(frozen=True, slots=True)
class Suspension:
    """An engine's rest.

    Attributes:
        until: seconds since 1970.
        state: for which it rests.
        failures: in a row.
    """

    until: float
    state: SearchState
    failures: int


def suspension_seconds(
    state: SearchState, message: str = "", *, failures: int = 1, asked_seconds: float | None = None
) -> float:
    """How long an engine is left alone; 0 where it may be asked again at once.

    Args:
        state: that it left a query in.
        message: of the answer.
        failures: in a row, this one included.
        asked_seconds: what it asked for with `Retry-After`: it never shortens the rest.
    """
    seconds = _SECONDS.get(state, 0.0)
    if state is SearchState.CAPTCHA:
        words = message.lower()
        seconds = max(seconds, *(longer for kind, longer in _CAPTCHAS.items() if kind in words), 0.0)
    if state in _DOUBLING:
        seconds = min(seconds * 2 ** min(failures - 1, 10), _LONGEST_DOUBLED_SECONDS)
    return min(max(seconds, asked_seconds or 0.0), LONGEST_SECONDS)


class SuspensionStore:
    """A table in a SQLite file that several processes may share.

    Args:
        path: of the file, made where it is not there; None: in memory.

    Raises:
        SuspensionStoreError: it cannot be made, or is damaged.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None)
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS suspensions (engine TEXT PRIMARY KEY, "
                "until REAL NOT NULL, state TEXT NOT NULL, failures INTEGER NOT NULL)"
            )
        except (OSError, sqlite3.Error) as error:
            raise SuspensionStoreError(f"{path} cannot be used ({error}): move it away") from error

    def get(self, engine: str, now: float) -> Suspension | None:
        """The rest that an engine is in; None where it may be asked."""
        row = self._row(engine)
        return row if row is not None and row.until > now else None

    def suspend(
        self,
        engine: str,
        state: SearchState,
        now: float,
        message: str = "",
        asked_seconds: float | None = None,
    ) -> float:
        """Leave an engine alone from now on; for how many seconds, 0 where the state asks for no rest."""
        before = self._row(engine)
        failures = before.failures + 1 if before is not None and before.state is state else 1
        seconds = suspension_seconds(state, message, failures=failures, asked_seconds=asked_seconds)
        if seconds:
            # Another process may have been told to rest longer: that stays.
            self._database.execute(
                "INSERT INTO suspensions VALUES (?, ?, ?, ?) ON CONFLICT (engine) DO UPDATE SET "
                "until = max(until, excluded.until), state = excluded.state, failures = excluded.failures",
                (engine, now + seconds, state.value, failures),
            )
        return seconds

    def clear(self, engine: str) -> None:
        """It has answered."""
        self._database.execute("DELETE FROM suspensions WHERE engine = ?", (engine,))

    def close(self) -> None:
        """Close the file; calling it twice is fine."""
        self._database.close()

    def _row(self, engine: str) -> Suspension | None:
        rows = self._database.execute(
            "SELECT until, state, failures FROM suspensions WHERE engine = ?", (engine,)
        ).fetchall()
        return Suspension(rows[0][0], SearchState(rows[0][1]), rows[0][2]) if rows else None
