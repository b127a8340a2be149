"""Folder of an embedded collection: `<folder>/<collection>/`, with `models.json` and the engine's `shard/`.

It is built beside its place and moved there in one step, so it is whole or not there at all.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ragcrawler.stores.filters import INDEXED_FIELDS
from ragcrawler.stores.protocol import CollectionModels, StoreError
from ragcrawler.stores.remembered_models import models_from_record, models_record

if TYPE_CHECKING:
    from qdrant_edge import EdgeShard

# Below this size of its dense vectors (33,000 of 384 dimensions) a segment is searched exactly: that takes a
# few milliseconds, while building its graph stops the whole process, signals included, for a second every
# 1,500 chunks.
_INDEXING_THRESHOLD_KILOBYTES = 50_000
_MODELS_FILE = "models.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def collection_folder(folder: Path, collection: str) -> Path:
    """Where the collection lives.

    Raises:
        StoreError: the name cannot be a folder's.
    """
    if not _NAME.fullmatch(collection):
        raise StoreError(
            f"{collection!r} cannot name a collection: use letters, digits, '.', '_' and '-', at most 128."
        )
    return folder / collection


def make_collection(path: Path, models: CollectionModels) -> None:
    """Build an empty collection at `path`; the caller holds its lock.

    Raises:
        StoreError: the folder cannot be written, or holds something else.
    """
    building = path.parent / f".{path.name}.new"
    with engine_errors("make the collection", path):
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir()
        _make_shard(building / "shard", models)
        _write_durably(building / _MODELS_FILE, json.dumps(models_record(models), indent=2))
        building.rename(path)
        _sync(path.parent)


def load_collection(path: Path) -> "tuple[EdgeShard, CollectionModels]":
    """The engine on the collection at `path`, and the models it remembers; the caller holds its lock.

    Raises:
        StoreError: it is damaged, or was not made by this program.
    """
    from qdrant_edge import EdgeShard

    with engine_errors("open the collection", path):
        models = models_from_record(json.loads((path / _MODELS_FILE).read_bytes()))
        return EdgeShard.load(str(path / "shard")), models


@contextmanager
def engine_errors(doing: str, path: Path) -> Iterator[None]:
    """Turn what goes wrong inside into a StoreError that names the folder."""
    try:
        yield
    except StoreError:
        raise
    except BaseException as error:
        # The engine raises bare `Exception`, and on damaged files panics with one that is no `Exception`.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise StoreError(
            f"Cannot {doing} {str(path)!r}: {error}. Check that the folder is writable and the disk not "
            "full; if it is damaged, move it away and crawl again."
        ) from error


def _make_shard(path: Path, models: CollectionModels) -> None:
    import qdrant_edge as edge

    path.mkdir()
    shard = edge.EdgeShard.create(
        str(path),
        edge.EdgeConfig(
            vectors={
                "dense": edge.EdgeVectorParams(size=models.dense_dimensions, distance=edge.Distance.Cosine)
            },
            sparse_vectors={"sparse": edge.EdgeSparseVectorParams()},
            optimizers=edge.EdgeOptimizersConfig(indexing_threshold=_INDEXING_THRESHOLD_KILOBYTES),
        ),
    )
    for field in INDEXED_FIELDS:
        shard.update(edge.UpdateOperation.create_field_index(field, edge.PayloadSchemaType.Keyword))
    shard.flush()
    shard.close()


def _write_durably(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
