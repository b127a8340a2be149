"""The Protocol of the rows of hosts, a part of a crawl's state."""

from typing import Protocol

from ragcrawler.frontier.states.records import HostRow


class HostRows(Protocol):
    """The row of each host. Hosts that were not used for long may be forgotten where there are too many."""

    def get(self, site: str) -> HostRow:
        """The row, or an empty one."""

    def set_delay(self, site: str, seconds: float) -> None:
        """Set the least time between two requests."""

    def hold(self, site: str, until: float) -> bool:
        """Set `held_until` where that prolongs it; whether it did."""

    def give_up(self, site: str) -> None:
        """Ask the host for nothing any more."""

    def begin_request(self, site: str, next_at: float = 0.0) -> None:
        """Count a request in flight, of this process, and set when the next may follow.

        Where several processes have the state, turns say when.
        """

    def end_request(self, site: str) -> None:
        """Count it off."""

    def set_failures(self, site: str, failures: int, pauses: int) -> None:
        """Set both numbers."""

    def take_turn(self, site: str, delay_seconds: float) -> float:
        """Take the next turn where it has come, for `delay_seconds`; else the seconds until then.

        0.0 where one process has the state: it keeps the pace by itself.
        """

    def begin_turn(self, site: str, delay_seconds: float, pace_seconds: float) -> float:
        """Send the request of a turn where `delay_seconds` are over since the last one was sent.

        A turn may be taken seconds before: names, connections and a busy process come between.

        Args:
            site: that is asked.
            delay_seconds: at least.
            pace_seconds: in the mean: turns that are given with leases keep it.

        Returns:
            0.0 where it is to be sent at once, else the seconds until it may be tried again; 0.0 where one
            process has the state.
        """

    def postpone_turn(self, site: str, seconds_ago: float) -> None:
        """The request that was sent last seems to have arrived so many seconds ago only: count from then."""
