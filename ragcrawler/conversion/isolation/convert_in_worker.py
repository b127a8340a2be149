"""One document to Markdown in a worker process: for whoever has no pool."""

import asyncio
from dataclasses import dataclass

from ragcrawler.conversion.convert import convert
from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.isolation.limits import WorkerLimits
from ragcrawler.conversion.isolation.pool import WorkerPool
from ragcrawler.conversion.limits import ConversionLimits


@dataclass(frozen=True, slots=True)
class _Source:
    """The arguments of `convert`, on their way to the worker."""

    body: bytes
    content_type: str
    url: str
    limits: ConversionLimits | None


def convert_in_worker(
    body: bytes,
    content_type: str,
    url: str,
    *,
    limits: ConversionLimits | None = None,
    worker: WorkerLimits | None = None,
) -> Converted:
    """Turn a document into Markdown, within bounds of time and memory.

    A process is started and ended for it: for many documents, share a `WorkerPool`. In a running event loop,
    call it by `asyncio.to_thread`.

    Args:
        body: as `convert` takes it, like the next three.
        content_type: likewise.
        url: likewise.
        limits: likewise.
        worker: bounds on time and memory; a minute and 2 GiB where None.

    Raises:
        ConversionError: as `convert` raises it, and `timed_out`, `out_of_memory` or `worker_died`.
        ForkServerFailed: no worker could be started.
    """
    return asyncio.run(_converted(_Source(body, content_type, url, limits), worker or WorkerLimits()))


async def _converted(source: _Source, worker: WorkerLimits) -> Converted:
    async with WorkerPool[_Source, Converted](_convert, limits=worker, workers=1) as pool:
        return await pool.run(source)


def _convert(source: _Source) -> Converted:
    return convert(source.body, source.content_type, source.url, limits=source.limits)
