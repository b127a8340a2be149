"""How fast each site may be asked, and until when not at all."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

WAIT_SECONDS = "wait_seconds"
"""`meta` key: how long a request rests before it is queued."""

# A wildcard in the DNS gives a domain as many hosts as somebody cares to link to.
_REMEMBERED_SITES = 10_000


@dataclass(slots=True)
class _Pace:
    least_seconds: float = 0.0
    held_until: float = 0.0
    is_given_up: bool = False


class Paces:
    """By download slot, that is by host name: the least delay, and holds.

    The downloader forgets a slot that was not used for a minute; what a site asked for is remembered here.

    Args:
        clock: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._paces: OrderedDict[str, _Pace] = OrderedDict()
        self._on_hold: list[Callable[[str, float], None]] = []
        self._asked: set[str] = set()
        self._under_way: Counter[str] = Counter()

    def when_held(self, listener: Callable[[str, float], None]) -> None:
        """Call `listener(site, seconds)` at every hold."""
        self._on_hold.append(listener)

    def least_seconds(self, site: str) -> float:
        """Between two requests, 0.0 where the site asked for nothing."""
        pace = self._paces.get(site)
        return pace.least_seconds if pace else 0.0

    def slow_down(self, site: str, seconds: float) -> None:
        """Leave that much time between two requests from now on; 0.0 takes it back."""
        self._pace(site).least_seconds = seconds

    def held_until(self, site: str) -> float:
        """By the clock; in the past where nothing holds the site."""
        pace = self._paces.get(site)
        return pace.held_until if pace else 0.0

    def held_seconds(self, site: str) -> float:
        """How long the site is still held, 0.0 where it is not."""
        return max(0.0, self.held_until(site) - self._clock())

    def hold(self, site: str, seconds: float) -> None:
        """Ask the site for nothing in that time; a hold is never shortened."""
        pace = self._pace(site)
        until = self._clock() + seconds
        if until > pace.held_until:
            pace.held_until = until
            for listener in self._on_hold:
                listener(site, seconds)

    def began(self, site: str) -> None:
        """A request has left the queue."""
        self._under_way[site] += 1

    def ended(self, site: str) -> None:
        """It has come back, with a response or without."""
        self._under_way[site] -= 1
        if not self._under_way[site]:
            del self._under_way[site]

    def under_way(self, site: str) -> int:
        """How many requests have left the queue, those included that are still among the middlewares."""
        return self._under_way[site]

    def begin_asking(self, site: str) -> None:
        """The site is asked for its robots.txt: its pages stay where they are meanwhile."""
        self._asked.add(site)

    def end_asking(self, site: str) -> None:
        """It answered, or did not."""
        self._asked.discard(site)

    def is_ready(self, site: str) -> bool:
        """Whether a page of the site may leave the queue."""
        return site not in self._asked and not self.held_seconds(site)

    def give_up(self, site: str) -> None:
        """Ask the site for nothing any more."""
        self._pace(site).is_given_up = True

    def is_given_up(self, site: str) -> bool:
        """Whether it was."""
        pace = self._paces.get(site)
        return pace is not None and pace.is_given_up

    def _pace(self, site: str) -> _Pace:
        pace = self._paces.setdefault(site, _Pace())
        self._paces.move_to_end(site)
        if len(self._paces) > _REMEMBERED_SITES:
            self._paces.popitem(last=False)
        return pace
