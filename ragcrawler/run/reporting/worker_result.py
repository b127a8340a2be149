"""What each worker of a shared crawl leaves for the report, and all of it added up."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import reduce
from typing import Any, Self

from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.stage_times import Stage, StageTime

_LEAST = ("tokens_min",)
_MOST = ("tokens_max", "_bytes", "cache_damaged", "cache_failures")


@dataclass(frozen=True, slots=True)
class CrawlWorker:
    """One process that worked on a shared crawl.

    Attributes:
        run: name of its folder.
        machine: where it ran, "" where it died.
        started: ISO 8601, UTC.
        elapsed_seconds: wall time.
        end: "finished", "shutdown" where it was interrupted, "stopped" at a bound, "died" where nothing is
            known.
    """

    run: str
    machine: str = ""
    started: str = ""
    elapsed_seconds: float = 0.0
    end: str = "died"


@dataclass(frozen=True, slots=True)
class WorkerResult:
    """What a worker leaves.

    Attributes:
        worker: that did it.
        stats: of ours, of this process alone.
        times: by stage, added up.
        activity: what it saw page by page, as JSON types.
    """

    worker: CrawlWorker
    stats: Mapping[str, Any] = field(default_factory=dict)
    times: Mapping[Stage, StageTime] = field(default_factory=dict)
    activity: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `to_json` gave."""
        times = {stage: StageTime(**spent) for stage, spent in values["times"].items()}
        return cls(CrawlWorker(**values["worker"]), values["stats"], times, values.get("activity", {}))


def workers_of(results: Iterable[WorkerResult], runs: Iterable[str]) -> tuple[CrawlWorker, ...]:
    """All workers of a crawl, in the order in which they started; those without a result have died."""
    known = {result.worker.run: result.worker for result in results}
    return tuple(known.get(run, CrawlWorker(run)) for run in sorted({*runs, *known}))


def added_stats(results: Iterable[WorkerResult], totals: Mapping[str, int], prefix: str) -> dict[str, Any]:
    """The stats of all workers.

    What was counted for pages that came to their end is in the totals, that of dead workers too. The rest is
    added up from what the workers left.

    Args:
        results: of the workers.
        totals: of the crawl, by names without the prefix.
        prefix: of all our stats.
    """
    added: dict[str, Any] = {}
    for result in results:
        for name, value in result.stats.items():
            added[name] = _together(name, added[name], value) if name in added else value
    return added | {prefix + name: total for name, total in totals.items()}


def added_times(results: Iterable[WorkerResult]) -> dict[Stage, StageTime]:
    """The times of all workers, by stage."""
    added: dict[Stage, StageTime] = {}
    for result in results:
        for stage, spent in result.times.items():
            before = added.get(stage, StageTime())
            added[stage] = before.plus(spent.count, spent.wall_seconds, spent.cpu_seconds).rounded()
    return added


def added_activity(results: Iterable[WorkerResult], own: CrawlActivity) -> CrawlActivity:
    """What all workers saw; one that died has left nothing."""
    left = (CrawlActivity.from_json(result.activity) for result in results if result.activity)
    return reduce(CrawlActivity.plus, left, own)


def _together(name: str, one: Any, other: Any) -> Any:
    if not isinstance(one, int | float) or not isinstance(other, int | float):
        return other
    if name.endswith(_LEAST):
        return min(one, other)
    return max(one, other) if name.endswith(_MOST) else one + other
