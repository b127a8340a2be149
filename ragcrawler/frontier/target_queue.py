"""The queue of targets: hosts take turns, and each target is leased from the state."""

import json
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from typing import cast

from ragcrawler.frontier.states.protocol import (
    CRASHES,
    FrontierState,
    LeaseTerms,
    SharedState,
    UrlRecord,
    key64,
)
from ragcrawler.frontier.states.side_queue import ASKED
from ragcrawler.frontier.target import Target
from ragcrawler.urls.host import host_of

# For as long as the process lives. What its death leaves is reclaimed by the next one.
_HELD_SECONDS = 1e9
_MICROSECONDS = 1e6
_DELAYS = "delayed_until"
_ACCEPTED = "accepted"
_WAITS_FOR = "waits_for"
POLL_SECONDS = 0.5
"""Between two looks of a worker without work, whether others have found some."""

# The same where it found some at the last look.
_AT_WORK_SECONDS = 0.1
# The page that kills its process is one of a hundred that it has in hand. A process that is killed from
# outside again and again, before it has done much, has the same innocent pages in hand many times.
_MOST_CRASHES = 30


@dataclass(frozen=True, slots=True)
class LeasedTarget:
    """A target to request now, or after a delay that a break has interrupted.

    Attributes:
        target: to ask for.
        wait_until: by the clock of the state; in the past where it may be asked for now.
        retries: after failures, so far.
        crashes: processes that died while they had it in hand.
    """

    target: Target
    wait_until: float = 0.0
    retries: int = 0
    crashes: int = 0

    @property
    def is_deadly(self) -> bool:
        """Whether so many died that the target is not asked for any more."""
        return self.crashes >= _MOST_CRASHES


class TargetQueue:
    """Gives one target at a time.

    Most are records that nobody holds. Listings have no record, and a page that is asked for once more has
    one that is parked: these few are in the side queue.

    Args:
        state: keeps all of it.
        key: of the record of a URL.
        leases: how this process leases, where others work on the crawl too: the state is a `SharedState`.

    Attributes:
        is_shared: whether other processes work on the crawl too.
    """

    def __init__(
        self,
        state: FrontierState,
        key: Callable[[str], int],
        leases: LeaseTerms | None = None,
    ) -> None:
        self._state = state
        self._key = key
        self._leases = leases
        self._lease_seconds = leases.seconds if leases else _HELD_SECONDS
        self.is_shared = leases is not None
        self._leased_ahead: defaultdict[str, deque[UrlRecord]] = defaultdict(deque)
        self._lost: set[int] = set()
        self._kept_at = float("-inf")
        self._poll_at = self._over_at = float("-inf")
        self._was_over = False
        self._turns: deque[str] = deque()
        self._in_turn: set[str] = set()

    def __len__(self) -> int:
        return self._state.urls.queued() + self._state.side_queue.queued()

    def put(self, target: Target, *, again: bool = False) -> None:
        """Ask for a target when its turn comes.

        Args:
            target: its record is in the state, unless it is a listing.
            again: its page was asked for before, and has to be asked for once more.
        """
        site = host_of(target.url)
        self._was_over = False
        if target.listing or target.stands_alone or again:
            if target.listing is None:
                self.park(target)
            self._state.side_queue.put(self._note_key(target), site, target.to_json())
        elif self.is_shared:  # whoever is next has it
            self._poll_at = self._poll_at if self._turns else float("-inf")
            return
        self._add_turn(site)

    def park(self, target: Target) -> None:
        """Let no worker ask for a page: another URL decides about it."""
        self._state.urls.park(self._key(target.url), target.lease)

    def take(self, target: Target, now: float) -> Target:
        """Let no other worker ask for a page whose answer came by a redirect; it has the lease, or 0."""
        return replace(target, lease=self._state.urls.take(self._key(target.url), now + self._lease_seconds))

    def give_back(self, target: Target) -> None:
        """Let it be asked for by another, or later."""
        if target.lease:
            self._state.urls.release(self._key(target.url), target.lease)

    def next(self, now: float, is_ready: Callable[[str], bool]) -> LeasedTarget | None:
        """Lease the next target of the next host that may be asked now; None where there is none."""
        found = self._next(now, is_ready)
        return self._next(now, is_ready) if found is None and self._poll(now, is_ready) else found

    def _next(self, now: float, is_ready: Callable[[str], bool]) -> LeasedTarget | None:
        for _ in range(len(self._turns)):
            site = self._turns.popleft()
            if not is_ready(site):
                self._turns.append(site)
                continue
            leased = self._lease(site, now)
            if leased is not None:
                self._turns.append(site)
                return leased
            self._in_turn.discard(site)
        return None

    def is_over(self, now: float) -> bool:
        """Whether nothing is left, of any worker; to be asked only when this one has nothing in hand."""
        if not self.is_shared:
            return self._state.is_over()
        if self._leased_ahead:
            return False
        if not self._was_over and now >= self._over_at:
            self._over_at = now + POLL_SECONDS
            # A lease that nothing ends would be prolonged for ever.
            self._state.let_go()
            self._was_over = self._state.is_over()
        return self._was_over

    def keep_leases(self, now: float) -> None:
        """Tell the other workers that what this one has in hand is not theirs yet."""
        self._lost.update(self._state.keep_leases(now + self._lease_seconds))
        self._kept_at = now

    def has_lease(self, lease: int, now: float) -> bool:
        """Whether a lease is this process's still, as far as it knows: it may have stood still for a while.

        The number of a lease says when it began, see `UrlRecord`.
        """
        began = max(lease / _MICROSECONDS, self._kept_at)
        return not self.is_shared or (lease not in self._lost and now < began + self._lease_seconds)

    def let_go(self, target: Target) -> None:
        """Nothing more is done for a target: what is not decided by now is for others to ask for."""
        if target.listing is None:
            self._state.let_go(self._key(target.url))

    def delay(self, target: Target, until: float, retries: int) -> None:
        """Remember until when a target is left alone after a failure: it stays leased meanwhile."""
        self._state.notes.put(_DELAYS, self._note_key(target), json.dumps([until, retries]))

    def end(self, target: Target) -> None:
        """A target that is no plain page needs not be asked for again."""
        self._state.side_queue.end(self._note_key(target))

    def resume(self) -> None:
        """Take up what an earlier process left: its listings, and the pages to ask for once more."""
        for text in self._state.notes.texts(ASKED):
            target = Target.from_json(text)
            record = None if target.listing else self._state.urls.get(self._key(target.url))
            if record is None or record.status == "open":
                self._state.side_queue.restore(self._note_key(target), host_of(target.url), text)
                self._add_turn(host_of(target.url))
            else:
                self.end(target)

    def _lease(self, site: str, now: float) -> LeasedTarget | None:
        if text := self._state.side_queue.lease(site, now + self._lease_seconds):
            target = Target.from_json(text)
            if target.listing is None:  # it may have been read by a process that did not come to its end
                key = self._key(target.url)
                self._state.notes.discard_member(_ACCEPTED, 0, key)
                target = replace(target, lease=self._state.urls.unpark(key))
            return self._with_delay(target)
        record = self._record(site, now)
        if record is not None:
            target = Target(record.url, record.depth, record.parent_url, lease=record.lease)
            if record.attempts == 1:
                return LeasedTarget(target)
            # It was asked for, and perhaps read, by a process that did not come to its end.
            self._state.notes.discard_member(_ACCEPTED, 0, record.key)
            self._state.notes.pop(_WAITS_FOR, record.key)
            return self._with_delay(target, self._state.notes.counter(CRASHES, record.key))
        return None

    def _record(self, site: str, now: float) -> UrlRecord | None:
        if self._leases is None:
            return next(iter(self._state.urls.lease(now, now + self._lease_seconds, 1, [site])), None)
        ahead = self._leased_ahead.pop(site, deque())
        record = ahead.popleft() if ahead else None
        while record is not None and not self.has_lease(record.lease, now):
            record = ahead.popleft() if ahead else None
        if ahead:
            self._leased_ahead[site] = ahead
        return record

    def _with_delay(self, target: Target, crashes: int = 0) -> LeasedTarget:
        text = self._state.notes.pop(_DELAYS, self._note_key(target))
        until, retries = json.loads(text) if text else (0.0, 0)
        return LeasedTarget(target, float(until), int(retries), crashes)

    def _note_key(self, target: Target) -> int:
        return key64(f"listing {target.url}") if target.listing else self._key(target.url)

    def _poll(self, now: float, is_ready: Callable[[str], bool]) -> bool:
        """Find hosts that have work, where there is none at hand; whether there are some."""
        if self._leases is None:
            if not self._turns and self._state.urls.queued():
                for site in chain(self._state.side_queue.sites(), self._state.urls.sites()):
                    self._add_turn(site)
            return bool(self._turns)
        if now < self._poll_at:
            return False
        left_out = [
            site
            for site, waiting in self._leased_ahead.items()
            if len(waiting) >= self._leases.of_host or not is_ready(site)
        ]
        records, side_sites = cast("SharedState", self._state).poll(self._leases, left_out)
        for record in records:
            self._leased_ahead[record.site].append(record)
            self._add_turn(record.site)
        for site in side_sites:
            self._add_turn(site)
        self._poll_at = now + (_AT_WORK_SECONDS if records else POLL_SECONDS)
        return bool(records or side_sites)

    def _add_turn(self, site: str) -> None:
        if site not in self._in_turn:
            self._in_turn.add(site)
            self._turns.append(site)
