"""Errors of running a job in a worker, besides those of the job itself."""

from ragcrawler.conversion.errors import ConversionError


class WorkerDied(ConversionError):  # noqa: N818  it reports what happened; the reason tells more
    """A worker ended, or had to be ended, in the middle of a job.

    The reason is `worker_died`, `timed_out` or `out_of_memory`. Only this job is lost.
    """


class JobFailed(Exception):  # noqa: N818  named after what happened to the job
    """The job raised an exception that cannot be sent from process to process.

    The message holds its type and text; its traceback is in the notes.
    """


class ForkServerFailed(Exception):  # noqa: N818  named after what happened to the fork server
    """The process that forks the workers could not be started: the message says why."""


class PoolClosed(Exception):  # noqa: N818  named after the state it reports
    """The pool was closed before the job was done."""
