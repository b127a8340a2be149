"""Targets without a record that could be queued, for a state that one process has."""

from collections.abc import Collection, Iterator

from ragcrawler.frontier.states.protocol import Notes

ASKED = "asked_target"
"""The kind of note that holds them."""


class NotedSideQueue:
    """See `SideQueue`. Those that nobody holds are in memory; the notes have all."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._waiting: dict[str, dict[int, str]] = {}

    def put(self, key: int, site: str, text: str) -> None:
        """See `SideQueue`."""
        self._notes.put(ASKED, key, text)
        self._waiting.setdefault(site, {})[key] = text

    def restore(self, key: int, site: str, text: str) -> None:
        """See `SideQueue`."""
        self._waiting.setdefault(site, {})[key] = text

    def lease(self, site: str, until: float) -> str | None:  # noqa: ARG002 - the process has it while it lives
        """See `SideQueue`."""
        waiting = self._waiting.get(site)
        if not waiting:
            return None
        text = waiting.pop(next(iter(waiting)))
        if not waiting:
            del self._waiting[site]
        return text

    def end(self, key: int) -> None:
        """See `SideQueue`."""
        self._notes.pop(ASKED, key)

    def sites(self) -> Iterator[str]:
        """See `SideQueue`."""
        return iter(list(self._waiting))

    def queued(self) -> int:
        """See `SideQueue`."""
        return sum(map(len, self._waiting.values()))


class OneProcess:
    """What a state that one process has at a time answers where several would have to agree."""

    def keep_leases(self, until: float) -> Collection[int]:  # noqa: ARG002 - they end with the process
        """See `FrontierState`."""
        return ()

    def let_go(self, key: int | None = None) -> None:
        """See `FrontierState`: nobody else is there."""
