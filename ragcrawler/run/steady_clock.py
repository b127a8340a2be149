"""The time of day, monotonic within a run."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


def _elapsed() -> float:
    """Seconds that only grow, those of a suspended machine included where the system counts them."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)


class SteadyClock:
    """Reads the machine's clock once, and counts the seconds since: pages are dated in the order they came.

    Args:
        wall: the time of day, which may be set back or forward.
        elapsed: seconds that only grow.
    """

    def __init__(
        self,
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
        elapsed: Callable[[], float] = _elapsed,
    ) -> None:
        self._elapsed = elapsed
        self._began = elapsed()
        self._started = wall()

    def now(self) -> datetime:
        """UTC."""
        return self._started + timedelta(seconds=self._elapsed() - self._began)


CLOCK = SteadyClock()
"""Of this process."""
