"""What an engine answered, and the state that it leaves the query in."""

from dataclasses import dataclass
from enum import StrEnum


class SearchState(StrEnum):
    """How a query ended at one engine; `docs/discover.md` explains each."""

    OK = "ok"
    EMPTY = "empty"
    BLOCKED = "blocked"
    CAPTCHA = "captcha"
    CONSENT = "consent"
    LAYOUT_CHANGED = "layout_changed"
    TIMEOUT = "timeout"
    SUSPENDED = "suspended"
    ROBOTS = "robots"
    FAILED = "failed"

    @property
    def is_answer(self) -> bool:
        """Whether the engine said what it knows."""
        return self in (SearchState.OK, SearchState.EMPTY)


@dataclass(frozen=True, slots=True)
class EngineResult:
    """One result, in the order of its engine.

    Attributes:
        url: where it leads, unwrapped.
        title: plain text.
        snippet: plain text.
        score: that the engine gave it; None where it gives none.
    """

    url: str
    title: str = ""
    snippet: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class UnresponsiveEngine:
    """An engine behind a metasearch engine that did not answer it.

    Attributes:
        name: as the metasearch engine calls it.
        state: its message in our words.
        message: as it stood in the answer.
    """

    name: str
    state: SearchState
    message: str


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """One page of results, or why there is none.

    Attributes:
        state: of this page.
        results: empty unless the state is ok.
        message: why, and what to do about it; "" where nothing is to be said.
        pause_seconds: that the engine asked for with `Retry-After`; None where it named no time.
        suspends: whether the engine is left alone for a while after this state.
        alarm: what makes the results doubtful although there are some; "" for nothing.
        unresponsive: of the engines behind this one, those that did not answer.
        is_last: there is no further page.
    """

    state: SearchState
    results: tuple[EngineResult, ...] = ()
    message: str = ""
    pause_seconds: float | None = None
    suspends: bool = True
    alarm: str = ""
    unresponsive: tuple[UnresponsiveEngine, ...] = ()
    is_last: bool = False
