"""When a site that keeps failing is paused, and when it is given up."""

from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum

from ragcrawler.config.politeness import PolitenessConfig

_REMEMBERED_SITES = 10_000


class Verdict(Enum):
    """What to do after a failure."""

    GO_ON = "go on"
    PAUSE = "pause"
    GIVE_UP = "give up"


@dataclass(slots=True)
class _Failures:
    since_pause: int = 0
    pauses: int = 0


class SiteHealth:
    """Counts the consecutive failures of each site; one success, be it a 404, begins anew."""

    def __init__(self, config: PolitenessConfig) -> None:
        self._config = config
        self._failures: OrderedDict[str, _Failures] = OrderedDict()

    def succeeded(self, site: str) -> None:
        """The site answered."""
        self._failures.pop(site, None)

    def failed(self, site: str) -> Verdict:
        """The site did not answer, or with an error of its own."""
        failures = self._failures.setdefault(site, _Failures())
        if len(self._failures) > _REMEMBERED_SITES:
            self._failures.popitem(last=False)
        failures.since_pause += 1
        if failures.since_pause < self._config.max_failures:
            return Verdict.GO_ON
        if failures.pauses == self._config.max_pauses:
            return Verdict.GIVE_UP
        failures.since_pause = 0
        failures.pauses += 1
        return Verdict.PAUSE

    def pause_seconds(self, site: str) -> float:
        """How long the pause is that begins now: it doubles from one to the next."""
        failures = self._failures.get(site, _Failures(pauses=1))
        return float(self._config.pause_seconds * 2 ** (failures.pauses - 1))
