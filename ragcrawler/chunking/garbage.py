"""Work during which Python does not look for garbage."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """No collection inside the block.

    Chunking makes very many small objects and no cycles among them: each collection walks them all and frees
    none, and the bigger the document the longer it takes. That cost a third of the time of a long table.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
