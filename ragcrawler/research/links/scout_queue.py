"""What a research fetches next: the most promising link of all that it has seen."""

import heapq
from collections.abc import Callable, Iterable
from itertools import count

from ragcrawler.research.evidence.plain_text import words
from ragcrawler.research.links.host_yield import HostYield
from ragcrawler.research.links.score import PRUNE_BELOW, Percentiles
from ragcrawler.research.storage.tasks import ScoutTask
from ragcrawler.urls.host import host_of

# How much of its score a link loses with each link that was followed before it.
_DEPTH_DISCOUNT = 0.95
_NAMED, _INCOMPLETE, _OPEN, _COMPLETE = 3, 2, 1, 0

Rank = tuple[int, float]


class ScoutQueue:
    """Orders tasks.

    Named URLs go first, then links that name a row with missing fields, then the others by their score, and
    last those that name a row of which all is known. Hosts that give nothing new go behind all others.

    Args:
        percentiles: of all links that were seen.
        hosts: which give new facts.
        pruned: is told of each task whose score is too low when its turn comes.
    """

    def __init__(
        self, percentiles: Percentiles, hosts: HostYield, pruned: Callable[[ScoutTask], None]
    ) -> None:
        self._percentiles = percentiles
        self._hosts = hosts
        self._pruned = pruned
        self._heaps: dict[str, list[tuple[int, float, int, ScoutTask]]] = {}
        self._best: dict[str, float] = {}
        self._order = count()
        self._incomplete = NameIndex()
        self._complete = NameIndex()

    def __len__(self) -> int:
        return len(self._best)

    def add(self, task: ScoutTask) -> None:
        """Queue a task; of a URL that waits already the more similar link counts."""
        similarity = _similarity(task)
        if self._best.get(task.url, -2.0) >= similarity:
            return
        self._best[task.url] = similarity
        self._push(task)

    def set_names(self, incomplete: Iterable[str], complete: Iterable[str]) -> None:
        """Order anew: the names of rows with missing fields, and of those of which all is known."""
        self._incomplete, self._complete = NameIndex(incomplete), NameIndex(complete)
        waiting = [entry[-1] for heap in self._heaps.values() for entry in heap if self._waits(entry[-1])]
        self._heaps.clear()
        for task in waiting:
            self._push(task)

    def pop(self) -> ScoutTask | None:
        """The next task; None where none is left that is worth a request."""
        while self._heaps:
            host = max(self._heaps, key=self._host_rank)
            task = heapq.heappop(self._heaps[host])[-1]
            if not self._heaps[host]:
                del self._heaps[host]
            if not self._waits(task):
                continue
            del self._best[task.url]
            if self._is_worth(task):
                return task
            self._pruned(task)
        return None

    def drop(self, url: str) -> None:
        """Forget a task: its page was read."""
        self._best.pop(url, None)

    def _waits(self, task: ScoutTask) -> bool:
        return self._best.get(task.url) == _similarity(task)

    def _is_worth(self, task: ScoutTask) -> bool:
        """A link is pruned where it was among the lesser half when it was seen, and is so now.

        The better a research goes, the better are the links it sees; the way to them is no worse by that.
        """
        if task.similarity is None or self._group(task) == _INCOMPLETE:
            return True
        return max(task.first_score or 0.0, self._percentiles.score(task.similarity)) >= PRUNE_BELOW

    def _host_rank(self, host: str) -> tuple[bool, int, float]:
        group, value, *_ = self._heaps[host][0]
        return not self._hosts.is_sunk(host) or -group == _NAMED, -group, -value

    def _push(self, task: ScoutTask) -> None:
        value = _similarity(task) * _DEPTH_DISCOUNT**task.depth
        entry = (-self._group(task), -value, next(self._order), task)
        heapq.heappush(self._heaps.setdefault(host_of(task.url), []), entry)

    def _group(self, task: ScoutTask) -> int:
        if task.similarity is None:
            return _NAMED
        if self._incomplete.is_named_in(task.anchor):
            return _INCOMPLETE
        return _COMPLETE if self._complete.is_named_in(task.anchor) else _OPEN


def _similarity(task: ScoutTask) -> float:
    return 1.0 if task.similarity is None else task.similarity


_MOST_WORDS = 8


class NameIndex:
    """Names, found by the words they are made of.

    Args:
        names: as pages write them.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = {found for name in names if (found := words(name)[:_MOST_WORDS])}
        self._lengths = sorted({len(name) for name in self._names})

    def is_named_in(self, text: str) -> bool:
        """Whether a text holds one of the names."""
        said = words(text)
        return any(
            said[start : start + length] in self._names
            for length in self._lengths
            for start in range(len(said) - length + 1)
        )
