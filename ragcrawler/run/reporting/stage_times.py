"""How long each stage of a crawl took."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import Literal, TypeVar

from ragcrawler.embedding.batch_limits import BatchLimits

Result = TypeVar("Result")
Stage = Literal["fetch_wait", "convert", "chunk", "summarize", "embed_dense", "embed_sparse", "upsert"]

# So many texts are read before a speed is told: a first one costs more than the rest.
_FEWEST_TEXTS = 16


@dataclass(frozen=True, slots=True)
class StageTime:
    """The time of one stage, summed over all its work.

    Attributes:
        count: requests, documents or texts.
        wall_seconds: may exceed the crawl's own, where several are worked on at a time.
        cpu_seconds: of the thread or process that did the work; None where nothing is computed.
    """

    count: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float | None = None

    def plus(self, count: int, wall_seconds: float, cpu_seconds: float | None) -> "StageTime":
        """The sum."""
        cpu = self.cpu_seconds if cpu_seconds is None else (self.cpu_seconds or 0.0) + cpu_seconds
        return StageTime(self.count + count, self.wall_seconds + wall_seconds, cpu)

    def rounded(self) -> "StageTime":
        """With times in whole milliseconds."""
        cpu = None if self.cpu_seconds is None else round(self.cpu_seconds, 3)
        return replace(self, wall_seconds=round(self.wall_seconds, 3), cpu_seconds=cpu)


class StageTimes:
    """Adds up the times of a crawl; threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._times: dict[Stage, StageTime] = {}
        self._limits: dict[Stage, BatchLimits] = {}

    def add(
        self, stage: Stage, wall_seconds: float, cpu_seconds: float | None = None, count: int = 1
    ) -> None:
        """Enter some work of a stage."""
        with self._lock:
            before = self._times.get(stage, StageTime())
            self._times[stage] = before.plus(count, wall_seconds, cpu_seconds)

    @contextmanager
    def measure(self, stage: Stage, count: int = 1) -> Iterator[None]:
        """Enter what is done inside, by the clock and by the CPU time of this thread."""
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            self.add(stage, time.perf_counter() - wall, time.thread_time() - cpu, count)

    def timed(
        self, stage: Stage, call: Callable[[Sequence[str]], Sequence[Result]], limits: BatchLimits
    ) -> Callable[[Sequence[str]], Sequence[Result]]:
        """A model's call that enters its own time; the limits say how many run side by side."""
        self._limits[stage] = limits

        def measured(texts: Sequence[str]) -> Sequence[Result]:
            with self.measure(stage, len(texts)):
                return call(texts)

        return measured

    def all(self) -> Mapping[Stage, StageTime]:
        """The times until now, of the stages that did something."""
        with self._lock:
            return {stage: spent.rounded() for stage, spent in self._times.items()}

    def chunks_per_second(self) -> float | None:
        """How many chunks the models can embed in a second here; None before they have read enough.

        Runs on the same processor take turns: what a chunk takes there is the sum over its models, divided
        by the runs side by side. The slowest processor decides.
        """
        times = self.all()
        seconds: dict[str, float] = {}
        for stage, limits in self._limits.items():
            spent = times.get(stage, StageTime())
            if spent.count < _FEWEST_TEXTS or not spent.wall_seconds:
                return None
            of_a_chunk = spent.wall_seconds / spent.count / limits.runs
            seconds[limits.resource] = seconds.get(limits.resource, 0.0) + of_a_chunk
        return 1 / max(seconds.values()) if seconds else None
