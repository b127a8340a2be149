"""Waits for an embedded collection that another process has open."""

import logging
import time
from collections.abc import Callable

from ragcrawler.stores import ChunkStore, StoreBusyError

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 0.25


def open_when_free(
    open_store: Callable[[], ChunkStore],
    seconds: float,
    is_running: Callable[[], bool],
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> ChunkStore:
    """The store, once no other process has it; one warning says who has it and how long it is waited for.

    Args:
        open_store: may be called any number of times.
        seconds: how long to wait, 0 for not at all.
        is_running: says no once the crawl was interrupted; then nothing is waited for.
        sleep: pauses for some seconds.
        clock: tells the seconds since whenever.

    Raises:
        StoreBusyError: the other process did not end in time.
        StoreError: the store cannot be opened for another reason.
    """
    begin = clock()
    has_waited = False
    while True:
        try:
            store = open_store()
        except StoreBusyError as error:
            if not is_running() or clock() - begin + _LOOK_SECONDS > seconds:
                raise
            if not has_waited:
                logger.warning("%s This crawl waits for it, for %g s at the most.", error, seconds)
            has_waited = True
            sleep(_LOOK_SECONDS)
        else:
            if has_waited:
                logger.info("The collection is free after %.0f s", clock() - begin)
            return store
