"""The settings of a worker process that converts and chunks."""

from ragcrawler.config.reader import SettingsReader
from ragcrawler.conversion.isolation import WorkerLimits

_MEBIBYTE = 2**20


def worker_limits(read: SettingsReader) -> WorkerLimits:
    """The bounds of one document's time and of one worker's memory.

    Raises:
        SettingError: one of them has an invalid value.
    """
    return WorkerLimits(
        job_seconds=read.number("PREPARATION_TIMEOUT_SECONDS"),
        memory_bytes=read.integer("PREPARATION_MAX_MEMORY_MEBIBYTES", minimum=256) * _MEBIBYTE,
        replace_bytes=read.integer("PREPARATION_REPLACE_MEBIBYTES", minimum=64) * _MEBIBYTE,
    )
