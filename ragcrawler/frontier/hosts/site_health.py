"""Pauses sites that keep failing, and gives them up after some pauses."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

from ragcrawler.frontier.states.protocol import HostRows, Notes, key64

_INCOMPLETE = "incomplete_site"


class HealthVerdict(Enum):
    """The next step after a failure."""

    GO_ON = "go on"
    PAUSE = "pause"
    GIVE_UP = "give up"


@dataclass(frozen=True, slots=True)
class SiteLimits:
    """How much failing a site is allowed.

    Attributes:
        max_failures: consecutive failures after which a site is paused.
        pause_seconds: the first pause; it doubles.
        max_pauses: pauses without a success between them after which a site is given up.
    """

    max_failures: int = 10
    pause_seconds: float = 60.0
    max_pauses: int = 3


class SiteHealth:
    """Counts the consecutive failures of each site; one success, be it a 404, begins anew."""

    def __init__(self, hosts: HostRows, limits: SiteLimits) -> None:
        self._hosts = hosts
        self._limits = limits

    def record_success(self, site: str) -> None:
        """The site answered."""
        row = self._hosts.get(site)
        if row.failures or row.pauses:
            self._hosts.set_failures(site, 0, 0)

    def record_failure(self, site: str) -> HealthVerdict:
        """The site did not answer, or with an error of its own."""
        row = self._hosts.get(site)
        failures = row.failures + 1
        if failures < self._limits.max_failures:
            self._hosts.set_failures(site, failures, row.pauses)
            return HealthVerdict.GO_ON
        if row.pauses == self._limits.max_pauses:
            self._hosts.set_failures(site, failures, row.pauses)
            return HealthVerdict.GIVE_UP
        self._hosts.set_failures(site, 0, row.pauses + 1)
        return HealthVerdict.PAUSE

    def pause_seconds(self, site: str) -> float:
        """How long the pause is that begins now: it doubles from one to the next."""
        pauses = self._hosts.get(site).pauses or 1
        return float(self._limits.pause_seconds * 2 ** (pauses - 1))


class IncompleteSites:
    """Sites of which a page could not be fetched or read; iterating gives their hosts with ports."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def add(self, url: str) -> None:
        """A page was lost before its links were read."""
        site = urlsplit(url).netloc
        self._notes.put(_INCOMPLETE, key64(site), site)

    def __iter__(self) -> Iterator[str]:
        return self._notes.texts(_INCOMPLETE)
