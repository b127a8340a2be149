"""Retries calls on a store that does not answer for a while."""

import logging
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ragcrawler.stores import StoreAwayError

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

_FIRST_PAUSE_SECONDS = 0.25
_LONGEST_PAUSE_SECONDS = 5.0
_LOOK_SECONDS = 0.25


class StoreRetry:
    """Repeats a call on a store that does not answer, for a bounded time; what waits behind it is kept.

    Once a wait was in vain, later calls get one try each, until one of them goes well again.

    Args:
        seconds: how long to wait in all, 0 for not at all.
        is_running: says no once the crawl was interrupted; then nothing is waited for.
        sleep: pauses for some seconds.
    """

    def __init__(
        self, seconds: float, is_running: Callable[[], bool], sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._seconds = seconds
        self._is_running = is_running
        self._sleep = sleep
        self._has_given_up = False
        self.waits = 0

    def do(
        self, call: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        """The result of the call, which must be one that can be repeated.

        Raises:
            StoreAwayError: the store did not come back in time.
        """
        deadline = time.monotonic() + self._seconds
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                result = call(*arguments, **named)
            except StoreAwayError as error:
                if self._has_given_up or not self._is_running() or time.monotonic() + pause > deadline:
                    self._has_given_up = True
                    raise
                self._wait(pause, error)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            else:
                self._has_given_up = False
                return result

    def _wait(self, seconds: float, error: StoreAwayError) -> None:
        self.waits += 1
        logger.warning("%s Trying again in %.2g s; what is embedded is kept.", error, seconds)
        while seconds > 0 and self._is_running():
            self._sleep(min(seconds, _LOOK_SECONDS))
            seconds -= _LOOK_SECONDS
