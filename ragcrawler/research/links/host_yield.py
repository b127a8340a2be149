"""Which hosts still give new facts."""

from collections import Counter


class HostYield:
    """Counts the pages of each host since its last new fact.

    Args:
        patience: a host sinks after so many pages without one.
    """

    def __init__(self, patience: int = 10) -> None:
        self._patience = patience
        self._barren: Counter[str] = Counter()

    def add_page(self, host: str, new_facts: int) -> None:
        """Count a page that was read."""
        self._barren[host] = 0 if new_facts else self._barren[host] + 1

    def is_sunk(self, host: str) -> bool:
        """Whether other hosts go first."""
        return self._barren[host] >= self._patience
