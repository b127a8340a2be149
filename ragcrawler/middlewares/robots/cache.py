"""The robots.txt answers of the hosts of a crawl."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from ragcrawler.urls.robots.rules import RobotsRules

MAX_ANSWERS = 5_000
MAX_TOTAL_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """A robots.txt, or the reason why it could not be fetched.

    Attributes:
        rules: what it says; None where the host must not be asked for anything (RFC 9309, section 2.3.1.4).
        expires: by the cache's clock, when to ask again.
        size: of the file, bytes.
        error: what the network did, None where the host answered.
        misses: consecutive failures to fetch it.
        is_final: that was often enough.
    """

    rules: RobotsRules | None
    expires: float
    size: int = 0
    error: Exception | None = None
    misses: int = 0
    is_final: bool = False


class RobotsCache:
    """Answers by origin; the least used ones go when there are too many, or too large ones.

    Args:
        clock: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._answers: OrderedDict[str, RobotsAnswer] = OrderedDict()
        self._bytes = 0

    def get(self, origin: str) -> RobotsAnswer | None:
        """The answer of a host, None where there is none or it has expired."""
        answer = self._answers.get(origin)
        if answer is None or answer.expires <= self.clock():
            return None
        self._answers.move_to_end(origin)
        return answer

    def misses(self, origin: str) -> int:
        """Consecutive failures to fetch its robots.txt."""
        answer = self._answers.get(origin)
        return answer.misses if answer else 0

    def put(self, origin: str, answer: RobotsAnswer) -> None:
        """Remember an answer in place of the last."""
        self._forget(origin)
        self._answers[origin] = answer
        self._bytes += answer.size
        while len(self._answers) > MAX_ANSWERS or (self._bytes > MAX_TOTAL_BYTES and len(self._answers) > 1):
            self._forget(next(iter(self._answers)))

    def _forget(self, origin: str) -> None:
        answer = self._answers.pop(origin, None)
        self._bytes -= answer.size if answer else 0
