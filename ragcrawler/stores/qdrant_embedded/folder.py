"""Folder of an embedded collection: `<folder>/<collection>/`, with `models.json` and the engine's `shard/`.

It is built beside its place and moved there in one step, so it is whole or not there at all.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ragcrawler.stores.collection_record import collection_record, is_outdated
from ragcrawler.stores.config import StoreConfig
from ragcrawler.stores.disk.durable_file import sync_folder, write_durably
from ragcrawler.stores.errors import StoreDamagedError, StoreError
from ragcrawler.stores.protocol import CollectionModels
from ragcrawler.stores.qdrant_embedded.shard import index_payload, make_shard
from ragcrawler.stores.remembered_models import models_from_record

if TYPE_CHECKING:
    from qdrant_edge import EdgeShard

_MODELS_FILE = "models.json"
# What the engine says of the place, not of what is there; it knows no other errors than texts.
_NO_DAMAGE = (
    "Permission denied",
    "Read-only file system",
    "No space left",
    "Too many open files",
    "Cannot allocate memory",
    "Input/output error",
)


def make_collection(path: Path, models: CollectionModels, config: StoreConfig) -> None:
    """Build an empty collection at `path`; the caller holds its lock.

    Raises:
        StoreError: the folder cannot be written, or holds something else.
    """
    building = path.parent / f".{path.name}.new"
    with engine_errors("make the collection", path):
        shutil.rmtree(building, ignore_errors=True)
        building.mkdir()
        make_shard(building / "shard", models, config)
        remember(building, models)
        building.rename(path)
        sync_folder(path.parent)


def load_collection(path: Path) -> "tuple[EdgeShard, CollectionModels]":
    """The engine on the collection at `path`, and the models it remembers; the caller holds its lock.

    A collection of an older schema is brought to this one.

    Raises:
        StoreError: it is damaged, of a newer schema, or was not made by this program.
    """
    from qdrant_edge import EdgeShard

    with engine_errors("open the collection", path):
        record = json.loads((path / _MODELS_FILE).read_bytes())
        models = models_from_record(record)
        outdated = is_outdated(record, repr(str(path)))
        shard = EdgeShard.load(str(path / "shard"))
        if outdated:
            index_payload(shard)
            shard.flush()
            remember(path, models)
        return shard, models


def remember(path: Path, models: CollectionModels) -> None:
    """Write what the collection remembers.

    Raises:
        OSError: it cannot be written.
    """
    write_durably(path / _MODELS_FILE, json.dumps(collection_record(models), indent=2))


def remove_collection(path: Path) -> None:
    """Remove the folder; the caller holds its lock.

    Raises:
        StoreError: it cannot be removed.
    """
    leaving = path.parent / f".{path.name}.old"
    with engine_errors("remove the collection", path):
        shutil.rmtree(leaving, ignore_errors=True)
        path.rename(leaving)
        sync_folder(path.parent)
        shutil.rmtree(leaving)


def set_aside(path: Path) -> Path:
    """Rename the folder of a damaged collection, and give its new path; the caller holds its lock.

    Raises:
        StoreError: it cannot be renamed.
    """
    aside = next(each for each in _numbered(path.with_name(f"{path.name}.damaged")) if not each.exists())
    with engine_errors("set aside the collection", path):
        path.rename(aside)
        sync_folder(path.parent)
    return aside


def remembered_models(path: Path) -> CollectionModels | None:
    """The record of the collection at `path`, None where that is damaged too."""
    try:
        return models_from_record(json.loads((path / _MODELS_FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _numbered(path: Path) -> Iterator[Path]:
    yield path
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}")


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
        said = f"Cannot {doing} {str(path)!r}: {error}. "
        if _is_of_the_place(error):
            raise StoreError(f"{said}Check that the folder is writable and the disk not full.") from error
        advice = "`scrapy verify --rebuild` makes a damaged one anew from the texts of its catalogue."
        raise StoreDamagedError(said + advice, str(error)) from error


def _is_of_the_place(error: BaseException) -> bool:
    """Whether an error says nothing against what is stored; a file that is missing does."""
    if isinstance(error, OSError | MemoryError):
        return not isinstance(error, FileNotFoundError)
    return any(sign in str(error) for sign in _NO_DAMAGE)
