"""BoundedWait for a server that is away."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

logger = logging.getLogger(__name__)

_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0
_LOOK_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server that is away is waited for.

    Attributes:
        seconds: at most; 0 for not at all.
        may_wait: says no once the work was interrupted; then nothing is waited for.
        pause: sleeps for some seconds.
    """

    seconds: float = 60.0
    may_wait: Callable[[], bool] = lambda: True
    pause: Callable[[float], None] = time.sleep


class BoundedWait:
    """One wait: bounded, with a line in the log when it begins and one when it is over."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._deadline = 0.0
        self._next_seconds = _FIRST_PAUSE_SECONDS

    def wait(self, error: Exception) -> None:
        """Pause before the next try.

        Raises:
            Exception: the error, where the server was waited for long enough.
        """
        patience = self._patience
        if not self._deadline:
            self._deadline = time.monotonic() + patience.seconds
            if patience.seconds:
                logger.warning("%s It is waited for up to %g s.", error, patience.seconds)
        if not patience.may_wait() or time.monotonic() >= self._deadline:
            raise error
        left = self._next_seconds
        while left > 0 and patience.may_wait():
            patience.pause(min(left, _LOOK_SECONDS))
            left -= _LOOK_SECONDS
        self._next_seconds = min(2 * self._next_seconds, _LONGEST_PAUSE_SECONDS)

    def over(self, place: str) -> None:
        """The server has answered; says so if it was waited for."""
        if self._deadline:
            logger.info("PostgreSQL at %s is back: the work goes on", place)
