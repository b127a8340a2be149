"""Statistics of a worker pool."""

from collections import Counter
from dataclasses import dataclass, field

from ragcrawler.conversion.isolation.fork_server import WorkerExit
from ragcrawler.conversion.isolation.frames import WorkerReply


@dataclass(slots=True)
class PoolStatistics:
    """Counts since the pool was made.

    Attributes:
        jobs: jobs that were begun; what is neither an error nor a death had a result.
        errors: jobs that raised an exception other than `WorkerDied`.
        deaths: jobs whose worker was lost, by reason.
        started: worker processes started; restarts are what exceeds the number of workers.
        replaced: workers ended between two jobs, for their number of jobs or their size.
        cpu_seconds: user and system time of the workers.
        peak_bytes: largest resident size of any worker, the memory it shares with others included.
    """

    jobs: int = 0
    errors: int = 0
    deaths: Counter[str] = field(default_factory=Counter)
    started: int = 0
    replaced: int = 0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0

    def measure(self, source: WorkerReply | WorkerExit, cpu_seconds_before: float) -> None:
        """Add the CPU time a worker has used since it was last measured, and look at its size."""
        self.cpu_seconds += max(source.cpu_seconds - cpu_seconds_before, 0.0)
        self.peak_bytes = max(self.peak_bytes, source.peak_bytes)
