"""The limits of a worker."""

from dataclasses import dataclass, fields

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Limits of one worker process; all of them must be above zero.

    Attributes:
        job_seconds: wall time of one job; the time it waits for a worker does not count.
        memory_bytes: private memory of the process, the preloaded modules included (`RLIMIT_DATA`).
        result_bytes: longest pickled result.
        worker_jobs: jobs after which a worker is replaced.
        replace_bytes: resident size after which a worker is replaced as soon as its job is done.
        start_seconds: wall time for importing the preloaded modules, and for a worker to take up the call.
    """

    job_seconds: float = 60.0
    memory_bytes: int = 2048 * _MIB
    result_bytes: int = 256 * _MIB
    worker_jobs: int = 500
    replace_bytes: int = 512 * _MIB
    start_seconds: float = 60.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) <= 0:
                raise ValueError(f"{field.name} is {getattr(self, field.name)}: it must be above zero")
