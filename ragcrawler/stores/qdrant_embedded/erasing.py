"""What was deleted, erased from the engine's files as well.

The engine marks points as deleted: their payload stays in its segments until many of them have gone, and what
was written stays in its log until that is full.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from ragcrawler.stores.disk.durable_file import write_durably

if TYPE_CHECKING:
    from qdrant_edge import EdgeShard

_CONFIG = "edge_config.json"
_EAGER = {"deleted_threshold": 0.0, "vacuum_min_vector_number": 0}
_USUAL = dict.fromkeys(_EAGER)  # as the shard was made: the engine's own thresholds
# A file of the log has 32 MiB; it goes when it is full, and the one behind it was begun and flushed.
_LOG_MEBIBYTES = 34
_LOG_FILES = 3


def erase_deleted(path: Path, shard: "EdgeShard") -> "EdgeShard":
    """The shard at `path`, opened anew on files in which nothing is left of deleted points.

    A kill in between leaves the collection as it is, and the engine a little more eager to rewrite its files
    until this is called again.

    Raises:
        Exception: the engine cannot; it knows no other.
    """
    from qdrant_edge import EdgeShard

    shard.flush()
    shard.close()
    _set_thresholds(path, _EAGER)
    eager = EdgeShard.load(str(path))
    try:
        eager.optimize()
        _roll_log(eager)
    finally:
        eager.close()
        _set_thresholds(path, _USUAL)
    return EdgeShard.load(str(path))


def _set_thresholds(path: Path, thresholds: Mapping[str, float | None]) -> None:
    config = json.loads((path / _CONFIG).read_bytes())
    config["optimizers"] |= thresholds
    write_durably(path / _CONFIG, json.dumps(config))


def _roll_log(shard: "EdgeShard") -> None:
    """Write what changes nothing until no file of the log is left that was there before."""
    import qdrant_edge as edge

    nobody = edge.Filter(must=[edge.HasIdCondition({str(uuid4())})])
    nothing = edge.UpdateOperation.set_payload_by_filter(nobody, {"nothing": " " * 2**20})
    for _ in range(_LOG_FILES):
        for _ in range(_LOG_MEBIBYTES):
            shard.update(nothing)
        shard.flush()
